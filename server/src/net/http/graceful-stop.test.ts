import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startServer } from '../../../test/apps/http-server.ts';
import { createLog } from '../../lib/log.ts';
import type { Action, Endpoint } from '../../protocols/radiotime/call/endpoint.ts';
import { fileEndpoint } from './endpoints/file-endpoint.ts';
import { stopOnSignals } from './graceful-stop.ts';

/** Run as a program, this file is a server that stops on signals; its ports go to standard output. */
if (process.argv[2] === 'serve') await serve(Number(process.argv[3]));
else declareTests();

async function dispose(): Promise<void> {
  process.stdout.write('disposed\n');
}

async function serve(graceSeconds: number): Promise<void> {
  const actions = new Map<string, Action>([
    ['', async () => (await sleep(5), { title: 'done', outlines: [] })],
    ['slow', async () => (await sleep(700), { title: 'slow', outlines: [] })],
    ['crash', () => (setImmediate(() => assert.fail('crash')), { outlines: [] })],
  ]);
  const pages: Endpoint = { paths: ['/Browse.ashx'], actions };
  const { listeners, options } = await startServer([pages]);
  const log = createLog({ level: 'silent' });
  stopOnSignals({ readiness: options.readiness, listeners, log, graceSeconds, dispose });
  process.stdout.write(`${listeners.httpPort} ${listeners.privatePort}\n`);
}

interface Program {
  process: ChildProcess;
  port: number;
  privatePort: number;
  output: string[];
  exit: Promise<unknown[]>;
}

async function startProgram(graceSeconds: number): Promise<Program> {
  const args = [import.meta.filename, 'serve', String(graceSeconds)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const output: string[] = [];
  const exit = once(child, 'exit');
  child.stdout.setEncoding('utf8').on('data', (data: string) => void output.push(data));
  await once(child.stdout, 'data');
  const [port = 0, privatePort = 0] = output.join('').split(/\s/).map(Number);
  return { process: child, port, privatePort, output, exit };
}

interface Reply {
  body: string;
  connection: string | undefined;
}

function ask(port: number, path: string, agent: Agent): Promise<Reply> {
  return new Promise((resolve, reject) => {
    get({ port, path, agent }, (response) => {
      let body = '';
      response
        .setEncoding('utf8')
        .on('data', (data: string) => void (body += data))
        .on('end', () => resolve({ body, connection: response.headers.connection }));
    }).on('error', reject);
  });
}

/** Asks again and again until told that the connection ends, as a proxy does with an upstream that drains. */
async function keepAsking(port: number, agent: Agent, onAnswer: () => void): Promise<void> {
  for (;;) {
    const { body, connection } = await ask(port, '/Browse.ashx', agent);
    assert.match(body, /<title>done<\/title>/);
    onAnswer();
    if (connection === 'close') return;
  }
}

function declareTests(): void {
  test('a stop under load fails no call, says so first, and ends with 0', async () => {
    const program = await startProgram(0.5);
    const agents = Array.from({ length: 16 }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
    const counts = agents.map(() => 0);
    const load = agents.map((agent, n) => keepAsking(program.port, agent, () => void counts[n]!++));
    // Every connection is in use before the stop, however busy the machine is.
    while (counts.some((count) => count < 2)) await sleep(20);
    const slow = ask(program.port, '/Browse.ashx?c=slow', new Agent());
    await sleep(50);
    program.process.kill('SIGTERM');
    await sleep(100);
    for (const port of [program.port, program.privatePort]) {
      assert.equal((await fetch(`http://127.0.0.1:${port}/readyz`)).status, 503);
    }
    await Promise.all(load);
    assert.match((await slow).body, /<title>slow/);
    assert.deepEqual(await program.exit, [0, null]);
    assert.match(program.output.join(''), /disposed/);
    for (const agent of agents) agent.destroy();
  });

  test('while it stops every answer ends its connection, of whatever protocol', async (t) => {
    const answer = {
      status: 200,
      contentType: 'text/plain',
      body: Buffer.from('here'),
      cacheControl: 'no-store',
    };
    const reply = { ...answer, lifetime: {} };
    const server = await startServer([], {
      plainEndpoints: [{ path: '/plain', answer: async () => ({ status: 200, text: 'here' }) }],
      pageEndpoints: [{ path: '/page', answer: () => answer }],
      protocols: [fileEndpoint({ path: '/file/*', maxConcurrency: 1, answer: () => reply })],
    });
    const agent = new Agent({ keepAlive: true });
    t.after(async () => {
      agent.destroy();
      await server[Symbol.asyncDispose]();
    });
    const connections = async (): Promise<unknown[]> => {
      const kinds: unknown[] = [];
      for (const path of ['/plain', '/page', '/file/x', '/unknown', '/livez'])
        kinds.push((await ask(server.listeners.httpPort, path, agent)).connection);
      return kinds;
    };
    assert.deepEqual(await connections(), Array(5).fill('keep-alive'));
    server.options.readiness.drain();
    assert.deepEqual(await connections(), Array(5).fill('close'));
  });

  test('idle connections do not hold it up', async () => {
    const program = await startProgram(0);
    const agent = new Agent({ keepAlive: true });
    await ask(program.port, '/Browse.ashx', agent);
    const start = performance.now();
    program.process.kill('SIGINT');
    assert.deepEqual(await program.exit, [0, null]);
    assert.ok(performance.now() - start < 3000);
    agent.destroy();
  });

  test('a second signal, a second later, ends it at once', async () => {
    const program = await startProgram(30);
    program.process.kill('SIGTERM');
    program.process.kill('SIGINT');
    await sleep(1200);
    assert.equal(program.process.exitCode, null);
    program.process.kill('SIGTERM');
    assert.deepEqual(await program.exit, [1, null]);
  });

  test('an uncaught exception ends it in order, but not well', async () => {
    const program = await startProgram(0);
    await ask(program.port, '/Browse.ashx?c=crash', new Agent());
    assert.deepEqual(await program.exit, [1, null]);
    assert.match(program.output.join(''), /disposed/);
  });
}
