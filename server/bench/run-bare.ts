import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** The baseline of a job, as a process of its own: it goes through the farm once for each line on its input. */
export interface Bare<Pass> extends AsyncDisposable {
  pass(): Promise<Pass>;
}

export function startBare<Pass>(file: string, args: readonly number[]): Bare<Pass> {
  const child = spawn(process.execPath, [file, ...args.map(String)], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout });
  const ended = once(child, 'exit');
  return {
    async pass() {
      child.stdin.write('again\n');
      const died = ended.then(([code]) => {
        throw new Error(`the bare reader ended with ${code}`);
      });
      const [line]: string[] = await Promise.race([once(lines, 'line'), died]);
      return JSON.parse(line ?? '');
    },
    async [Symbol.asyncDispose]() {
      child.stdin.end();
      await ended;
    },
  };
}
