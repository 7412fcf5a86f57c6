import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type City, type Query, readLists } from './lists.ts';
import type { RealLists } from './real-lists.ts';
import { FEW, type Line } from './report.ts';

/** A line of a list, as somebody judged it who looked at the whole list. */
interface Judged {
  /** `local Berlin`, `search oe3 (Wien)`. */
  list: string;
  /** As the radio shows it. */
  text: string;
  /** Whether another of the first lines is the same station. */
  same: 'own' | 'double';
  /** Whether a person who knows the station would recognise it by this line. */
  name: 'clear' | 'unclear';
}

/** Queries of the first kinds: names as people type them. */
const QUERIES = 200;
const SEED = 20_261_117;
const DRAWN = 200;

const LINE = /^(local|search) (.+?) \| (.+) \| (own|double) \| (clear|unclear)(?: \| .+)?$/;

/** The judged lines of `judged.txt`; its head says what a line is. */
export function readJudged(): Judged[] {
  const text = readFileSync(join(import.meta.dirname, 'judged.txt'), 'utf8');
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, kind, list, shown = '', same, name] = LINE.exec(line) ?? [];
      if (
        kind === undefined ||
        (same !== 'own' && same !== 'double') ||
        (name !== 'clear' && name !== 'unclear')
      )
        throw new Error(`cannot read this line of judged.txt: "${line}"; its head says what a line is`);
      return { list: `${kind} ${list}`, text: shown, same, name };
    });
}

/** The first lines of a list by its name in `judged.txt`; undefined for a list that nobody knows. */
export async function firstLines(real: RealLists, list: string): Promise<Line[] | undefined> {
  const asked = listsByName().get(list);
  if (!asked) return undefined;
  const lines = 'wanted' in asked && 'text' in asked ? await real.search(asked) : await real.local(asked);
  return lines.slice(0, FEW);
}

export const isKnownList = (list: string): boolean => listsByName().has(list);

let known: Map<string, City | Query> | undefined;

function listsByName(): ReadonlyMap<string, City | Query> {
  if (known) return known;
  const { cities, queries } = readLists();
  return (known = new Map<string, City | Query>([
    ...cities.map((city) => [`local ${city.name}`, city] as const),
    ...queries
      .slice(0, QUERIES)
      .map((query) => [`search ${query.text} (${query.caller.name})`, query] as const),
  ]));
}

/** Lines drawn at random from all lists, the same ones every time while the lists are the same. */
export async function drawLines(real: RealLists): Promise<{ list: string; line: Line }[]> {
  const pool: { list: string; line: Line }[] = [];
  for (const list of listsByName().keys()) {
    const lines = (await firstLines(real, list)) ?? [];
    pool.push(...lines.map((line) => ({ list, line })));
  }
  const random = randomNumbers(SEED);
  return Array.from({ length: Math.min(DRAWN, pool.length) }, () => {
    const [drawn] = pool.splice(Math.floor(random() * pool.length), 1);
    return drawn!;
  });
}

/** Mulberry32: small, and the same on every machine. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
