import { distanceKm } from '../../src/lib/geo.ts';
import type { Snapshot } from '../../src/core/directory/snapshot/snapshot.ts';
import { foldLetters } from './plain-name.ts';
import type { Line } from './report.ts';

/** Two lines of one list that a person would call the same station. */
interface Double {
  first: Line;
  second: Line;
  why: 'same name' | 'one family';
}

const FREQUENCY = /(?<![\d.,])\d{2,3}[.,]\d{1,2}(?![\d.,])/g;
/** Words that come and go in the names of one station. */
const LOOSE = /^(?:radio|radyo|радио|радіо|fm|фм|am|live|online|official|oficial|the|mhz|khz)$/;
/** Two transmitters of one name further apart are two stations. */
const FAR_KM = 100;

/**
 * Written apart from the rules of the directory, so that it can find what those miss: the same words in the same country
 * without another frequency or another town, or two channels of one network.
 */
export function doublesIn(lines: readonly Line[], snapshot: Snapshot): Double[] {
  const doubles: Double[] = [];
  for (const [at, second] of lines.entries())
    for (const first of lines.slice(0, at)) {
      const why = whyDouble(first, second, snapshot);
      if (why) doubles.push({ first, second, why });
    }
  return doubles;
}

function whyDouble(a: Line, b: Line, { stationById, families }: Snapshot): Double['why'] | undefined {
  const [one, other] = [stationById.get(numberOf(a)), stationById.get(numberOf(b))];
  if (!one || !other) return undefined;
  if (families.familyOf[one.rank] === families.familyOf[other.rank]) return 'one family';
  if (one.countryCode === undefined || one.countryCode !== other.countryCode) return undefined;
  if (baseName(one.name) !== baseName(other.name)) return undefined;
  if (differ(one.frequency, other.frequency) || differ(townOf(a), townOf(b))) return undefined;
  const [here, there] = [one.coordinate, other.coordinate];
  return here && there && distanceKm(here, there) > FAR_KM ? undefined : 'same name';
}

const numberOf = ({ guideId }: Line): number => Number(guideId.slice(1));

/** As the line says it: "(Turin, Italy)". */
const townOf = ({ text }: Line): string | undefined => /\(([^()]+,[^()]+)\)$/.exec(text)?.[1];

const differ = (a: string | undefined, b: string | undefined): boolean =>
  a !== undefined && b !== undefined && a !== b;

/** The words of a name without frequencies and words that come and go; all of them if no other is left. */
export function baseName(name: string): string {
  const words = foldLetters(name)
    .replaceAll(FREQUENCY, ' ')
    .replaceAll('&', ' and ')
    .replaceAll('+', ' plus ')
    .match(/[\p{L}\p{N}]+/gu);
  const telling = (words ?? []).filter((word) => !LOOSE.test(word)).join('');
  return telling.length > 2 ? telling : (words ?? []).join(' ');
}
