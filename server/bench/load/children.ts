import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** A server under test, in a process of its own on the first core; the load comes from the second. */
export interface Child extends AsyncDisposable {
  pid: number;
  port: number;
}

/** Starts a script that prints a JSON line with its port (`port` or `httpPort`) when it listens. */
export async function startChild(script: string, args: string[], env: NodeJS.ProcessEnv): Promise<Child> {
  const child = spawn('taskset', ['-c', '0', process.execPath, script, ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return { pid: child.pid ?? 0, port: await portOf(child), [Symbol.asyncDispose]: () => stop(child) };
}

async function portOf(child: ChildProcess): Promise<number> {
  for await (const line of createInterface({ input: child.stdout! })) {
    const said: { port?: number; httpPort?: number } = JSON.parse(line);
    const port = said.port ?? said.httpPort;
    if (port !== undefined) return port;
  }
  throw new Error('a server under test exited before it listened');
}

async function stop(child: ChildProcess): Promise<void> {
  const ended = child.exitCode === null ? once(child, 'exit') : undefined;
  child.kill('SIGTERM');
  await ended;
}
