import { eachStation } from './select-stations.ts';
import type { StationFilter } from './sieve.ts';
import type { DirectoryStation, Snapshot } from './snapshot.ts';

/** Where names go that begin with a digit, a sign, or one of the thousands of Han and Hangul characters. */
export const OTHER_INITIAL = '#';

const MARKS = /\p{M}+/gu;
const LETTER = /^\p{L}$/u;
const TOO_MANY = /^[\p{Script=Han}\p{Script=Hangul}]$/u;

/** The letter under which a name is looked for: `É` is `E`, Cyrillic and Greek have their own. */
export function initialOf(name: string): string {
  const first = name.codePointAt(0) ?? 0;
  if (first < 128) return asciiInitial(first);
  const letter = String.fromCodePoint(first).normalize('NFKD').replace(MARKS, '').toUpperCase();
  const [plain = ''] = letter;
  return LETTER.test(plain) && !TOO_MANY.test(plain) ? plain : OTHER_INITIAL;
}

function asciiInitial(code: number): string {
  const letter = String.fromCharCode(code).toUpperCase();
  return letter >= 'A' && letter <= 'Z' ? letter : OTHER_INITIAL;
}

const initials = new WeakMap<DirectoryStation, string>();

/** The same, worked out once for a station. */
export function stationInitial(station: DirectoryStation): string {
  let initial = initials.get(station);
  if (initial === undefined) initials.set(station, (initial = initialOf(station.name)));
  return initial;
}

/** The letters with which names of stations that fit begin, in order, the rest at the end. */
export function listInitials(snapshot: Snapshot, filter: StationFilter): string[] {
  const found = new Set<string>();
  eachStation(snapshot, filter, (station) => found.add(stationInitial(station)));
  const hasOthers = found.delete(OTHER_INITIAL);
  const letters = [...found].toSorted();
  return hasOthers ? [...letters, OTHER_INITIAL] : letters;
}
