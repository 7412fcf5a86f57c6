import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { forEachYielding } from '../../../lib/clock.ts';
import { type Coordinate, coordinate } from '../../../lib/geo.ts';
import { nameKey } from '../../cleaning/clean-name.ts';

/** Where some broadcasters are heard: in a country, or within some distance of a point in it. */
export interface BroadcastArea {
  /** ISO 3166-1: `AT`. */
  readonly countryCode: string;
  /** Undefined for the whole country. */
  readonly around: { readonly point: Coordinate; readonly km: number } | undefined;
  /** The keys of the names of each, the most listened to first. */
  readonly broadcasters: readonly (readonly string[])[];
}

const AREA = /^\[([A-Z]{2})(?: (-?[\d.]+),(-?[\d.]+) (\d{1,4}))?\]$/;
const FOLDER = join(import.meta.dirname, 'broadcasters');

/** The areas of a text: `[AT 48.21,16.37 50]`, then a broadcaster a line, `Ö1 | ORF Ö1`; `#` begins a comment. */
export function parseBroadcasters(text: string): BroadcastArea[] {
  const areas: (BroadcastArea & { broadcasters: string[][] })[] = [];
  for (const [index, raw] of text.split('\n').entries()) {
    const line = raw.replace(/(?:^|\s)#.*$/, '').trim();
    if (line === '') continue;
    if (line.startsWith('[')) {
      const area = areaOf(line);
      if (!area)
        throw new Error(`line ${index + 1}: ${line} is not an area such as [AT] or [AT 48.21,16.37 50]`);
      areas.push(area);
      continue;
    }
    const keys = new Set(line.split('|').map((name) => nameKey(name.trim())));
    keys.delete('');
    if (areas.length === 0) throw new Error(`line ${index + 1}: ${line} comes before the first area`);
    areas.at(-1)?.broadcasters.push([...keys]);
  }
  return areas;
}

function areaOf(line: string): (BroadcastArea & { broadcasters: string[][] }) | undefined {
  const parts = AREA.exec(line);
  if (!parts) return undefined;
  const [, countryCode = '', latitude, longitude, km] = parts;
  if (km === undefined) return { countryCode, around: undefined, broadcasters: [] };
  const point = coordinate(Number(latitude), Number(longitude));
  return point && { countryCode, around: { point, km: Number(km) }, broadcasters: [] };
}

let known: Promise<readonly BroadcastArea[]> | undefined;

/** The broadcasters that people know, which come with the program. */
export const knownBroadcasters = (): Promise<readonly BroadcastArea[]> => (known ??= readBroadcasters());

/** Area by area, so that requests are answered in between: all of it takes a tenth of a second. */
async function readBroadcasters(): Promise<readonly BroadcastArea[]> {
  const texts = globSync('*.txt', { cwd: FOLDER })
    .toSorted()
    .map((file) => readFileSync(join(FOLDER, file), 'utf8'));
  const areas: BroadcastArea[] = [];
  await forEachYielding(
    texts.flatMap((text) => text.split(/^(?=\[)/m)),
    (text) => void areas.push(...parseBroadcasters(text)),
  );
  return areas;
}
