import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import sharp from 'sharp';
import { PictureRefused } from '../../../src/workers/images/resize/kind-of.ts';
import { ImageWorker } from '../../../src/workers/images/resize/image-worker.ts';
import { disc, icoOf, plain, pngOf, svg } from '../../content/picture-samples.ts';

/** Each bomb so many times; the long form is `LOGO_BOMB_ROUNDS=20`. */
const ROUNDS = Number(process.env['LOGO_BOMB_ROUNDS'] ?? 1);
/** Of the processor; by the clock it may be six times as long, for a machine that does other things. */
const MAX_MS = Number(process.env['LOGO_BOMB_MS'] ?? 2000);
/** What the kernel gives the process beyond what it sets aside, and what it has without a picture. */
const MAX_MB = 500 + 150;
const MAX_HERE_MB = 64;

const copies = (levels: number): string =>
  Array.from(
    { length: levels },
    (_, n) => `<g id="u${n + 1}">${`<use xlink:href="#u${n}"/>`.repeat(10)}</g>`,
  ).join('');
const filters = Array.from(
  { length: 50 },
  () => '<feTurbulence baseFrequency="0.9" numOctaves="9"/><feMorphology radius="99"/>',
);

const BOMBS: Record<string, () => Buffer | Promise<Buffer>> = {
  'a PNG of 50,000 x 50,000': () => pngOf(50_000, 50_000, Buffer.alloc(1000)),
  'a PNG of 24 million white points in some kilobytes': () =>
    pngOf(4899, 4899, Buffer.alloc(4899 * (4899 * 3 + 1))),
  'a small PNG with 300 MB of rows': () => pngOf(100, 100, Buffer.alloc(300_000_000)),
  'an ICO around a PNG of 50,000 x 50,000': () =>
    icoOf({ side: 256, bits: 32, bytes: pngOf(50_000, 50_000, Buffer.alloc(99)) }),
  'a WebP of 24 million points': () => plain(4899, 4899, '#456').webp({ effort: 0 }).toBuffer(),
  'a GIF of 500 pictures': async () => {
    const frame = await plain(300, 300, '#456').png().toBuffer();
    const frames = Array.from({ length: 500 }, () => frame);
    return sharp(frames, { join: { animated: true }, limitInputPixels: false })
      .gif({ effort: 1 })
      .toBuffer();
  },
  'an SVG of ten million copies': () =>
    svg(`<defs><path id="u0" d="M0 0h9"/>${copies(7)}</defs><use xlink:href="#u7"/>`),
  'an SVG in itself': () => svg('<g id="u"><use xlink:href="#u"/></g>'),
  'an SVG a hundred thousand deep': () => svg('<g>'.repeat(100_000)),
  'an SVG of a million points': () =>
    svg(`<path d="M0 0${'l1 1-1 1'.repeat(200_000)}" stroke="#000" stroke-dasharray="0.01"/>`),
  'an SVG of filters': () =>
    svg(
      `<filter id="f" x="-99" y="-99" width="999" height="999">${filters.join('')}</filter><path filter="url(#f)" d="M0 0h200v200z"/>`,
    ),
  'an SVG with a pattern of nothing': () =>
    svg(
      '<pattern id="p" width="0.0001" height="0.0001" patternUnits="userSpaceOnUse"><path d="M0 0h9"/></pattern><path fill="url(#p)" d="M0 0h200v200z"/>',
    ),
};

let press: ImageWorker;
before(() => {
  press = new ImageWorker({ longestMs: MAX_MS });
});
after(() => press[Symbol.asyncDispose]());

/** The most memory that this process and its children have at any time, watched until disposed of. */
function watchMemory(): Disposable & { here: number; inChildren: number } {
  const atStart = process.memoryUsage.rss();
  const most = { here: 0, inChildren: 0 };
  const look = (): void => {
    most.here = Math.max(most.here, (process.memoryUsage.rss() - atStart) / 2 ** 20);
    for (const child of children()) most.inChildren = Math.max(most.inChildren, residentMb(child));
  };
  const timer = setInterval(look, 20);
  return Object.assign(most, { [Symbol.dispose]: () => clearInterval(timer) });
}

function residentMb(pid: string): number {
  try {
    const [, kilobytes = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kilobytes) / 1024;
  } catch {
    return 0;
  }
}

/** What the children of this process have used of the processor, those that ended and those that run. */
function cpuOfChildren(): number {
  const ended = cpuMs('self', 13);
  return children().reduce((sum, child) => sum + cpuMs(child, 11), ended);
}

/** Two fields of `/proc/PID/stat` after the name: time for itself and in the kernel, in hundredths of a second. */
function cpuMs(pid: string, field: number): number {
  const [, behindName = ''] = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ');
  const ticks = behindName.split(' ').slice(field, field + 2);
  return ticks.reduce((sum, tick) => sum + Number(tick) * 10, 0);
}

function children(): string[] {
  const pids = readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8');
  return pids.split(' ').filter((pid) => pid.trim() !== '');
}

for (const [name, make] of Object.entries(BOMBS)) {
  test(`${name}: made or refused, in time and in bounds, and the next logo is made`, async () => {
    const bomb = await make();
    const good = await disc(200).png().toBuffer();
    await press.resize(good);
    using memory = watchMemory();
    for (let round = 0; round < ROUNDS; round += 1) {
      const start = performance.now();
      const used = cpuOfChildren();
      const [tried] = await Promise.allSettled([press.resize(bomb)]);
      const took = Math.round(performance.now() - start);
      assert.ok(took < MAX_MS * 6 + 3000, `${took} ms`);
      const usedByBomb = cpuOfChildren() - used;
      assert.ok(usedByBomb < MAX_MS + 1000, `${usedByBomb} ms of the processor`);
      if (tried.status === 'rejected')
        assert.ok(tried.reason instanceof PictureRefused, String(tried.reason));
      assert.equal((await press.resize(good)).files.length, 8);
    }
    await sleep(30);
    assert.ok(memory.inChildren < MAX_MB, `${Math.round(memory.inChildren)} MB in the press`);
    console.log(`${name}: ${Math.round(memory.inChildren)} MB`);
    assert.ok(memory.here < MAX_HERE_MB, `${Math.round(memory.here)} MB more here`);
  });
}
