import { forEachYielding } from '../../../lib/clock.ts';
import { distanceKm } from '../../../lib/geo.ts';
import { foldText } from '../../../lib/search-words.ts';
import { type DirectoryRegion, type DirectoryStation, lineageOf } from '../snapshot/snapshot.ts';
import type { SnapshotStationDraft } from '../snapshot/station-draft.ts';

/** Called for two stations that are one. */
export type Join = (a: number, b: number) => void;

/** Words that come and go in the records of one station. */
const LOOSE = new Set(
  'radio radyo rádió радио радіо ραδιο fm фм am mhz khz live online official oficial the'
    .split(' ')
    .map(foldText),
);
/** Likewise where they are written together with the name. */
const LOOSE_ENDS = /^(?:radio|fm)|(?:radio|fm|live|online)$/g;
/** Those that never tell two stations apart, however short the rest. */
const EMPTY = new Set('live online official oficial the'.split(' '));
/** What is left of "Radio 1" says nothing. */
const MIN_BASE = 3;

/** Letters without a base letter, as people type them without that keyboard. */
const PLAIN: Readonly<Record<string, string>> = { ł: 'l', ø: 'o', đ: 'd', æ: 'ae', œ: 'oe', ı: 'i' };

const wordsOf = (name: string): string[] => {
  const words = foldText(name)
    .replaceAll(/[łøđæœı]/g, (letter) => PLAIN[letter] ?? letter)
    .split(' ');
  return words.includes('&') ? words.map((word) => (word === '&' ? 'and' : word)) : words;
};

/** FM frequencies, of which a name can say several. */
const FREQUENCIES = /(?<![\d.,])\d{2,3}[.,]\d{1,2}(?![\d.,])/g;

/** The words of a name without those that come and go, and without frequencies. */
export const baseWords = (name: string): string[] =>
  wordsOf(name.replaceAll(FREQUENCIES, ' ')).filter((word) => !LOOSE.has(word));

/** The words written together; of a short name with those that tell "Radio 1" from "FM 1". */
function baseOf(words: readonly string[]): string {
  const kept = words.filter((word) => !LOOSE.has(word)).join('');
  const base = kept.replaceAll(LOOSE_ENDS, '') || kept;
  if (base.length >= MIN_BASE) return base;
  const isFm = words.includes('fm');
  return words.filter((word) => !EMPTY.has(word) && !(isFm && word === 'radio')).join('');
}

/** A name says its frequency or not, with a point or a comma or without: "Love 97.2FM" is "LOVE 972". */
const wordsWithoutFrequency = ({ name, frequency }: DirectoryStation): string[] =>
  wordsOf(frequency === undefined ? name : name.replaceAll(frequency, ' ').replaceAll(FREQUENCIES, ' '));

/** More stations of one name in a country are as many different ones. */
const MAX_NAMESAKES = 20;
/** A shorter name without a country may be anybody's; less is enough where one country alone has the name. */
const MIN_WITHOUT_COUNTRY = 8;
const MIN_OF_ONE_COUNTRY = 4;

/** The stations by name, for each country those of one name that are not one. Drafts are in order of rank. */
export class Namesakes {
  readonly #drafts: readonly SnapshotStationDraft[];
  /** By rank. */
  readonly #words: string[][] = [];
  readonly #bases: string[] = [];
  readonly #byName = new Map<string, SnapshotStationDraft[]>();
  readonly #countries = new Map<string, string | undefined>();

  constructor(drafts: readonly SnapshotStationDraft[]) {
    this.#drafts = drafts;
  }

  /** Joins records of one name and country that nothing tells apart. */
  async join(join: Join): Promise<void> {
    await forEachYielding(this.#drafts, ({ station }) => {
      const words = wordsWithoutFrequency(station);
      const base = baseOf(words) || baseOf(wordsOf(station.name));
      this.#words.push(words);
      this.#bases.push(base);
      const { countryCode } = station;
      if (countryCode === undefined) return;
      const isElsewhere = this.#countries.has(base) && this.#countries.get(base) !== countryCode;
      this.#countries.set(base, isElsewhere ? undefined : countryCode);
    });
    await forEachYielding(this.#drafts, (draft, rank) => {
      const { frequency } = draft.station;
      const base = this.#bases[rank]!;
      const key = this.#keyOf(draft, base);
      const other =
        frequency === undefined ? undefined : this.#keyOf(draft, base + frequency.replace('.', ''));
      const same = this.#findSame(draft, key) ?? this.#findSame(draft, other);
      if (same) return join(same.station.rank, rank);
      this.#add(key, draft);
      this.#add(other, draft);
    });
  }

  #findSame(draft: SnapshotStationDraft, key: string | undefined): SnapshotStationDraft | undefined {
    return key === undefined ? undefined : this.#byName.get(key)?.find((other) => mayBeOne(other, draft));
  }

  /** Where one country alone has a name, a record without a country is of it. */
  #keyOf({ station }: SnapshotStationDraft, base: string): string | undefined {
    if (station.countryCode !== undefined) return `${station.countryCode} ${base}`;
    const only = this.#countries.get(base);
    const min = only === undefined ? MIN_WITHOUT_COUNTRY : MIN_OF_ONE_COUNTRY;
    return base.length < min ? undefined : `${only ?? ''} ${base}`;
  }

  #add(key: string | undefined, draft: SnapshotStationDraft): void {
    if (key === undefined) return;
    const others = this.#byName.getOrInsert(key, []);
    if (others.length < MAX_NAMESAKES) others.push(draft);
  }

  /**
   * Joins local editions to the station whose name they carry: Radio Marca Madrid to Radio Marca. Antenne Bayern stays
   * alone, since nobody is called Antenne.
   */
  async joinEditions(places: PlaceWords, join: Join): Promise<void> {
    const wordsOfTown = new Map<string, ReadonlySet<string>>();
    await forEachYielding(this.#drafts, (draft, rank) => {
      const { countryCode = '', placeName = '', frequency } = draft.station;
      const ofPlaces = OF_ANY_NAME.has(countryCode)
        ? wordsOfTown.getOrInsertComputed(placeName, () => new Set(wordsOf(placeName)))
        : places.get(countryCode);
      if (!ofPlaces) return;
      const words = this.#words[rank]!;
      const without = words.filter(
        (word, at) => at === 0 || !(ofPlaces.has(word) || isStateCode(word, at, words, countryCode)),
      );
      if (without.length === words.length) return;
      const base = baseOf(without);
      if (without.filter((word) => !LOOSE.has(word)).join('').length < MIN_BASE) return;
      const whole = this.#byName
        .get(`${countryCode} ${base}`)
        ?.find(
          (other) =>
            other !== draft &&
            !differ(other.domain, draft.domain) &&
            !differ(other.station.frequency, frequency),
        );
      if (whole) join(whole.station.rank, rank);
    });
  }
}

/** Countries whose towns have any word for a name (Point, Eagle, Breeze): only a station's own town counts there. */
const OF_ANY_NAME = new Set(['US', 'CA', 'AU', 'GB']);

const WITH_STATE_CODES = new Set(['BR', 'US', 'CA', 'MX']);
const isStateCode = (word: string, at: number, words: readonly string[], country: string): boolean =>
  word.length === 2 && at === words.length - 1 && WITH_STATE_CODES.has(country);

/** By country: the words of the names of its places, and its own. */
export type PlaceWords = ReadonlyMap<string, ReadonlySet<string>>;

export async function placeWords(regions: Iterable<DirectoryRegion>): Promise<PlaceWords> {
  const words = new Map<string, Set<string>>();
  await forEachYielding([...regions], (region) => {
    const { name } = region;
    const country = lineageOf(region)
      .find(({ kind }) => kind === 'country')
      ?.code.replace('country:', '');
    if (country === undefined) return;
    const its = words.getOrInsertComputed(country, () => new Set(['ciudad', 'city', 'de']));
    for (const word of wordsOf(name)) if (word.length >= MIN_BASE) its.add(word);
  });
  return words;
}

/** Two transmitters of one name further apart belong to two stations. */
const SAME_PLACE_KM = 100;

/** Owners differ by their homepages, but two lines of one name and no other place or frequency are one to a reader. */
function mayBeOne(a: SnapshotStationDraft, b: SnapshotStationDraft): boolean {
  if (differ(a.station.frequency, b.station.frequency)) return false;
  if (differ(a.domain, b.domain) && differ(townOf(a), townOf(b))) return false;
  const [here, there] = [a.station.coordinate, b.station.coordinate];
  return !here || !there || distanceKm(here, there) <= SAME_PLACE_KM;
}

/** "Turin, Italy"; undefined where only the country is known. */
const townOf = ({ station: { placeName } }: SnapshotStationDraft): string | undefined =>
  placeName?.includes(',') === true ? placeName : undefined;

export const differ = (a: string | undefined, b: string | undefined): boolean =>
  a !== undefined && b !== undefined && a !== b;
