import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { cpuMs, slowness } from '../../worst-input/cpu-time.ts';
import { CALL_READERS } from '../../worst-input/readers-of-calls.ts';
import { LIST_READERS } from '../../worst-input/readers-of-lists.ts';
import { STATION_READERS } from '../../worst-input/readers-of-stations.ts';
import type { Reader } from '../../worst-input/reader.ts';
import { KILOBYTES_64, type LongText, longTexts } from '../../worst-input/texts.ts';

/**
 * For 64 kB of the worst there is for each, on a machine like ours or a faster one; a slower one has as much longer as it
 * takes for work that is always the same. A reader that takes the square of that takes seconds.
 */
const MAX_CPU_MS = 20;
/** Where another process has the core or its caches, a slow run says nothing, and a fast one does. */
const RUNS = 5;
const MAX_RUNS = 20;
/** Far over twice, a third run would tell nothing. Once says little: a machine that was held up counts that as time. */
const FAR_OVER_MS = 10 * MAX_CPU_MS;
const LOOKED_AT_AGAIN = 4;
/** `WORST_READERS='csv|m3u' npm test -- server/test/drills/fuzz/worst-input.test.ts` for some of them. */
const ONLY = new RegExp(process.env['WORST_READERS'] ?? '', 'i');
const READERS = [...LIST_READERS, ...CALL_READERS, ...STATION_READERS];

/** What it refuses, it has read as well. */
async function timeOf({ read }: Reader, text: string): Promise<number> {
  const before = cpuMs();
  try {
    await read(text);
  } catch {
    // How it is refused is for the tests of the reader.
  }
  return cpuMs() - before;
}

/** The best of a few, and of more while all are over. */
async function bestOf(reader: Reader, text: string): Promise<number> {
  let best = Infinity;
  for (let run = 0; run < RUNS || (best >= MAX_CPU_MS && run < MAX_RUNS); run += 1) {
    best = Math.min(best, await timeOf(reader, text));
    if (best > FAR_OVER_MS && run > 0) break;
  }
  return best;
}

/**
 * Each shape of text at a quarter of the length, twice, which warms up too and finds what grows faster than its length;
 * then the slowest ones at the whole length, and of the best time of each the worst.
 */
async function worstOf(reader: Reader): Promise<{ ms: number; text: string }> {
  const tried: { ms: number; shape: LongText }[] = [];
  for (const shape of reader.frames.flatMap((frame) => longTexts(frame, reader.pieces))) {
    const text = shape(KILOBYTES_64 / 4);
    const ms = await timeOf(reader, text);
    tried.push({ ms: ms > FAR_OVER_MS / 16 ? ms : Math.min(ms, await timeOf(reader, text)), shape });
  }
  let worst = { ms: 0, text: '' };
  for (const { shape } of tried.toSorted((a, b) => b.ms - a.ms).slice(0, LOOKED_AT_AGAIN)) {
    const text = shape(KILOBYTES_64);
    const ms = await bestOf(reader, text);
    if (ms >= worst.ms) worst = { ms, text };
    if (ms > FAR_OVER_MS) break;
  }
  return worst;
}

/** The machine is measured when a reader was over: its speed may change from one second to the next. */
const isOver = (ms: number): boolean => ms >= MAX_CPU_MS && ms >= MAX_CPU_MS * slowness();

const shown = (text: string): string =>
  JSON.stringify(text.length > 44 ? `${text.slice(0, 34)}…${text.slice(-8)}` : text);

test(`every reader takes under ${MAX_CPU_MS} ms for 64 kB of the worst`, async (t) => {
  const slow: string[] = [];
  t.diagnostic(`this machine takes ${slowness().toFixed(1)} times as long as ours when it is quiet`);
  for (const reader of READERS.filter(({ name }) => ONLY.test(name))) {
    const { ms, text } = await worstOf(reader);
    const line = `${ms.toFixed(1).padStart(7)} ms  ${reader.name.padEnd(30)} ${shown(text)}`;
    t.diagnostic(line);
    if (isOver(ms)) slow.push(line);
  }
  assert.deepEqual(slow, []);
});

test('the texts find a reader that takes the square of their length', async () => {
  const quadratic: Reader = {
    name: 'quadratic',
    // As attributes of M3U were once found: from each letter of a word to its end, for a sign that is not there.
    read: (text) => [...text.matchAll(/([a-z0-9][a-z0-9_-]*)=(?:"([^"]*)"|([^\s",]+))/gi)],
    frames: [['', '']],
    pieces: [],
  };
  const { ms, text } = await worstOf(quadratic);
  assert.ok(ms > FAR_OVER_MS, `${ms} ms`);
  assert.equal(text.length, KILOBYTES_64);
});

/** Exported readers of `formats/` that the table leaves out, and why. */
const NOT_IN_THE_TABLE: Readonly<Record<string, string>> = {
  readJsonItems:
    'reads dumps for imports, in a process of their own; each of 64,000 broken elements is an exception',
};

test('every reader of formats/ is in the table, or says why not', () => {
  const folder = join(import.meta.dirname, '../../../src/formats');
  const files = globSync('**/*.ts', { cwd: folder, exclude: ['**/*.test.ts'] });
  const exported = files.flatMap((file) =>
    [
      ...readFileSync(join(folder, file), 'utf8').matchAll(
        /^export (?:async )?(?:function\*?|const) ((?:parse|read)[A-Z]\w*)/gm,
      ),
    ].map(([, name = '']) => name),
  );
  const named = READERS.map(({ name }) => name).join(' ');
  const missing = exported.filter((name) => !new RegExp(`\\b${name}\\b`).test(named));
  assert.ok(exported.length > 30, `${exported.length} readers`);
  assert.deepEqual(missing.toSorted(), Object.keys(NOT_IN_THE_TABLE).toSorted());
});
