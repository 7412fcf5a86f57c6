import { forEachYielding } from '../../../lib/clock.ts';
import {
  type DirectoryGenre,
  type DirectoryStation,
  lineageOf,
  type Snapshot,
} from '../snapshot/snapshot.ts';

/** What lists of stations can be narrowed down by. */
export const DIMENSIONS = ['country', 'language', 'quality', 'kind'] as const;
export type DimensionName = (typeof DIMENSIONS)[number];

/**
 * One of them, for all stations of a snapshot. A station has a set of options (two languages, no country), and thousands
 * share one, so it is a number by rank and what is to be known of a set is worked out once for all that have it.
 */
export interface Dimension {
  /** `DE`, `de`, `128`, `jazz`: what stands in an address. */
  readonly options: readonly string[];
  /** By rank, an index into `sets`. */
  readonly setOf: Uint32Array;
  /** Indexes into `options`. */
  readonly sets: readonly (readonly number[])[];
}

export type Dimensions = Readonly<Record<DimensionName, Dimension>>;

const known = new WeakMap<Snapshot, Promise<Dimensions>>();

/** Made when the first listener opens a list, in slices: radios are answered in between. */
export const dimensionsOf = (snapshot: Snapshot): Promise<Dimensions> =>
  known.getOrInsertComputed(snapshot, makeDimensions);

/** Bit rates that make a difference to be heard, in kbit/s, and one for those who pay for each megabyte. */
const QUALITIES: readonly { option: string; has: (kbits: number) => boolean }[] = [
  { option: '64-', has: (kbits) => kbits > 0 && kbits <= 64 },
  ...[128, 192, 256, 320].map((least) => ({
    option: String(least),
    has: (kbits: number): boolean => kbits >= least,
  })),
];

const makeDimensions = async (snapshot: Snapshot): Promise<Dimensions> => ({
  country: await dimension(snapshot, ({ countryCode }) => countryCode, optional),
  language: await dimension(
    snapshot,
    ({ languageIds }) => languageIds,
    (ids) => ids.map((id) => snapshot.languageById.get(id)?.code).filter((code) => code !== undefined),
  ),
  quality: await dimension(
    snapshot,
    ({ bitrate }) => bitrate,
    (kbits) => QUALITIES.filter(({ has }) => has(kbits)).map(({ option }) => option),
  ),
  kind: await dimension(
    snapshot,
    ({ genreIds }) => genreIds,
    (ids) => ids.flatMap((id) => kindsOf(snapshot.genreById.get(id))),
  ),
});

const optional = (code: string | undefined): string[] => (code === undefined ? [] : [code]);

/** Music, talk or sports, and what is right under it: finer genres are ways further in, not kinds. */
const kindsOf = (genre: DirectoryGenre | undefined): string[] =>
  genre
    ? lineageOf(genre)
        .slice(-2)
        .map(({ slug }) => slug)
    : [];

/** `keyOf` gives what decides about the options: equal for most stations, so that few sets are made. */
async function dimension<Key>(
  { stations }: Snapshot,
  keyOf: (station: DirectoryStation) => Key,
  optionsOf: (key: Key) => readonly string[],
): Promise<Dimension> {
  const indexes = new Map<string, number>();
  const sets: number[][] = [];
  const setOfKey = new Map<Key, number>();
  const setOf = new Uint32Array(stations.length);
  const makeSet = (key: Key): number => {
    const options = new Set(optionsOf(key));
    return (
      sets.push(Array.from(options, (name) => indexes.getOrInsertComputed(name, () => indexes.size))) - 1
    );
  };
  await forEachYielding(stations, (station, rank) => {
    setOf[rank] = setOfKey.getOrInsertComputed(keyOf(station), makeSet);
  });
  return { options: [...indexes.keys()], setOf, sets };
}
