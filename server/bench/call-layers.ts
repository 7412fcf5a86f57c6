import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { APPLICATION, benchPartners, DEVICE } from './load/bench-partners.ts';
import { startChild } from './load/children.ts';
import { pathsIn, writeMenuCalls } from './load/menu-calls.ts';
import { Caller, undisturbed } from './call/turns.ts';

const BARE_SERVER = join(import.meta.dirname, 'load/bare-server.ts');
const LAYER_SERVER = join(import.meta.dirname, 'call/layer-server.ts');
const [ANSWERS, WARM_UP, MIN_STATIONS] = [300, 30, 200];

interface Paths {
  application: string[];
  device: string[];
  pages: string[];
}

/** Each with everything before it; what a layer is without is told by `layer-server.ts`. */
const LAYERS: [name: string, server: string, paths: keyof Paths][] = [
  ['bare `node:http`', 'bare', 'application'],
  ['our sockets, their limits and our headers', 'sockets', 'application'],
  ['the page by its address, limits of callers, metrics', 'limits', 'application'],
  ['the call is noted', 'noted', 'application'],
  ['links of a device are written', 'noted', 'device'],
  ['parameters are read, the page is found by its name', 'named', 'device'],
  ['the page is made anew', 'anew', 'device'],
  ['pages of all large genres by turns', 'anew', 'pages'],
];

/**
 * The cost of each layer of a call, each in a process of its own, a few hundred calls of each in turn: in such small steps that
 * other load on the machine affects all of them alike. `npm run bench -- call-layers [--rounds 60]`
 */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { rounds: { type: 'string', default: '60' } } });
  const databaseUrl = process.env['DATABASE_URL'] ?? '';
  const folder = mkdtempSync(join(tmpdir(), 'longwave-call-layers-'));
  const partners = await benchPartners(databaseUrl);
  try {
    const calls = await writeMenuCalls({
      databaseUrl,
      folder,
      leastStations: MIN_STATIONS,
      device: DEVICE,
      near: DEVICE,
    });
    const paths = {
      application: [`${calls.page}&${APPLICATION}`],
      device: [`${calls.page}&${DEVICE}`],
      pages: pathsIn(calls.pages),
    };
    print(await measure(folder, paths, Number(values.rounds)));
  } finally {
    await partners[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true });
  }
}

async function measure(folder: string, paths: Paths, rounds: number): Promise<Map<string, number[]>> {
  await using opened = new AsyncDisposableStack();
  const start = async (script: string, args: string[]) => opened.use(await startChild(script, args, {}));
  const body = join(folder, 'body');
  const noted = await start(LAYER_SERVER, ['noted', body]);
  const answer = await fetch(`http://127.0.0.1:${noted.port}${paths.application[0]}`);
  writeFileSync(body, Buffer.from(await answer.arrayBuffer()));
  const servers = new Map([
    ['noted', noted],
    ['bare', await start(BARE_SERVER, [body])],
  ]);
  const callers: [string, Caller][] = [];
  for (const [name, server, which] of LAYERS) {
    const child = servers.get(server) ?? (await start(LAYER_SERVER, [server, body]));
    servers.set(server, child);
    callers.push([name, opened.use(new Caller(child, paths[which]))]);
  }
  const took = new Map(callers.map(([name]): [string, number[]] => [name, []]));
  for (let round = 0; round < WARM_UP + rounds; round += 1)
    for (const [name, caller] of callers) {
      const micros = await caller.turn(ANSWERS);
      if (round >= WARM_UP) took.get(name)?.push(micros);
    }
  return took;
}

function print(took: ReadonlyMap<string, readonly number[]>): void {
  console.log('| layer, with all before it | µs of CPU | of these its own | bare beside it |');
  console.log('| --- | --- | --- | --- |');
  let [bare, before] = [0, 0];
  for (const [name, turns] of took) {
    const micros = undisturbed(turns);
    bare ||= micros;
    const cells = [micros.toFixed(1), (micros - before).toFixed(1), (bare / micros).toFixed(2)];
    console.log(`| ${name} | ${cells.join(' | ')} |`);
    before = micros;
  }
}
