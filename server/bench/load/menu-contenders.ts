import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { APPLICATION, benchPartners, DEVICE, NEAREST, SIZED_DEVICE } from './bench-partners.ts';
import { type Child, startChild } from './children.ts';
import { type MenuCalls, writeMenuCalls } from './menu-calls.ts';
import type { Contender } from './wrk.ts';

const BARE_SERVER = join(import.meta.dirname, 'bare-server.ts');
/** The names of the measured rows. */
export const ROWS = {
  bare: 'bare node:http',
  application: 'hot page, an application',
  device: 'hot page, a device',
  anew: 'a page made anew',
  cold: 'cold pages',
  nearest: `nearest ${NEAREST}`,
} as const;

/** One checkout whose menus are measured. */
export interface Side {
  /** The checkout's folder. */
  folder: string;
  databaseUrl: string;
  /** Appended to the names of its rows. */
  label: string;
}

export interface MenuContenders extends AsyncDisposable {
  contenders: Contender[];
  calls: MenuCalls;
  /** Of the page of the largest genre. */
  bytes: number;
}

/** The menus of the sides, through a complete service each, after a bare server that returns the first one's bytes. */
export async function openMenuContenders(
  folder: string,
  sides: readonly [Side, ...Side[]],
  leastStations: number,
): Promise<MenuContenders> {
  await using opened = new AsyncDisposableStack();
  const [{ databaseUrl }] = sides;
  const calls = await writeMenuCalls({
    databaseUrl,
    folder,
    leastStations,
    device: DEVICE,
    near: SIZED_DEVICE,
  });
  const ofSides: Contender[][] = [];
  let body: Buffer = Buffer.alloc(0);
  for (const side of sides) {
    const [hot, cold] = await startSide(side, opened);
    if (body.length === 0) body = await bytesOf(hot, `${calls.page}&${DEVICE}`);
    ofSides.push(contendersOf(hot, cold, calls, side.label));
  }
  writeFileSync(join(folder, 'body'), body);
  const bare = opened.use(await startChild(BARE_SERVER, [join(folder, 'body')], {}));
  const ofBare = { name: ROWS.bare, url: urlOf(bare, calls.page), pids: [bare.pid] };
  const kept = opened.move();
  return {
    contenders: [ofBare, ...neighbours(ofSides)],
    calls,
    bytes: body.length,
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/** Each row of a side next to the same row of the other. */
const neighbours = (sides: readonly Contender[][]): Contender[] =>
  (sides[0] ?? []).flatMap((_, row) => sides.flatMap((side) => side[row] ?? []));

/** One service that caches menus, and one that builds each of them anew. */
async function startSide(
  { folder, databaseUrl }: Side,
  opened: AsyncDisposableStack,
): Promise<[hot: Child, cold: Child]> {
  opened.use(await benchPartners(databaseUrl));
  const main = join(folder, 'server/src/main.ts');
  const settings = {
    DATABASE_URL: databaseUrl,
    HTTP_PORT: '0',
    PRIVATE_PORT: '0',
    HTTP_HOST: '127.0.0.1',
    CALLS_PER_ADDRESS: '1000000',
    SERVE_PROCESSES: '1',
  };
  const hot = opened.use(await startChild(main, ['serve'], settings));
  const cold = opened.use(await startChild(main, ['serve'], { ...settings, MENU_CACHE_MB: '0' }));
  return [hot, cold];
}

const contendersOf = (
  hot: Child,
  cold: Child,
  { page, pages, places }: MenuCalls,
  label: string,
): Contender[] => [
  { name: ROWS.application + label, url: urlOf(hot, `${page}&${APPLICATION}`), pids: [hot.pid] },
  { name: ROWS.device + label, url: urlOf(hot, `${page}&${DEVICE}`), pids: [hot.pid] },
  { name: ROWS.anew + label, url: urlOf(cold, `${page}&${DEVICE}`), pids: [cold.pid] },
  { name: ROWS.cold + label, url: urlOf(cold, page), pids: [cold.pid], script: pages },
  { name: ROWS.nearest + label, url: urlOf(hot, page), pids: [hot.pid], script: places },
];

export const urlOf = ({ port }: Child, path: string): string => `http://127.0.0.1:${port}${path}`;

async function bytesOf(child: Child, path: string): Promise<Buffer> {
  const response = await fetch(urlOf(child, path));
  return Buffer.from(await response.arrayBuffer());
}
