import type { Directory } from '../../core/directory/directory.ts';
import { type Aliases, findByAnyId } from '../../core/directory/lookup/by-any-id.ts';
import { findStation } from '../../core/directory/lookup/lookups.ts';
import { Fault } from '../../lib/fault.ts';
import { guideId, numberOf, type ParsedGuideId, parseGuideId } from '../../lib/guide-id.ts';
import type { Metrics } from '../../net/http/metrics.ts';
import type { Lifetime } from '../../net/http/respond.ts';
import { ReadThrough } from '../../storage/cache/read-through.ts';
import { findPicture, type PictureKind, type PictureSize } from '../../storage/catalog/images/pictures.ts';
import { findShow } from '../../storage/catalog/shows/shows.ts';
import type { Queryable } from '../../storage/db/pool.ts';
import { drawPlaceholder, type LogoFile } from './draw.ts';
import { hasGlyph } from './glyphs/glyphs.ts';

export interface LogosDeps extends ItemDeps {
  /** Cache size for frequently requested pictures. */
  logoCacheBytes?: number | undefined;
  metrics?: Pick<Metrics, 'watchCache'> | undefined;
}

/** A picture with its cache lifetime, independent of the protocol. */
interface LogoAnswer extends Lifetime {
  bytes: Buffer;
  contentType: string;
  etag?: string | undefined;
}

/** The picture of a path such as `/logos/s123q.png`. */
export type FindLogo = (path: string) => Promise<LogoAnswer>;

const DEFAULT_CACHE_BYTES = 32 * 2 ** 20;
const TYPES: Readonly<Record<PictureKind, string>> = { png: 'image/png', jpg: 'image/jpeg' };
const [MINUTE, HOUR, DAY] = [60, 3600, 86_400];
/** Logos change once in years, and clients revalidate by ETag. A placeholder may be replaced at any moment. */
const LIFETIMES = { picture: 7 * DAY, none: DAY, notYet: HOUR, away: MINUTE };

/**
 * The square logo of every item: its picture, else its initials, else the service's mark. Never an error, not even when
 * the database is unreachable: some radios hide an item whose picture is missing.
 */
export function logos({ logoCacheBytes = DEFAULT_CACHE_BYTES, metrics, ...deps }: LogosDeps): FindLogo {
  const items = new LogoItems(deps);
  const pictures = new KeptPictures(deps.db, logoCacheBytes);
  metrics?.watchCache('logos', () => pictures.use());
  return async (path) => {
    const { id, size, kind } = parseLogoPath(path) ?? notALogo();
    const standIn = async (name: string, seconds: number): Promise<LogoAnswer> =>
      answerOf(await drawPlaceholder(id, initialsOf(name), size, kind), kind, seconds);
    try {
      const item = await items.find(id);
      if (item?.hasImage !== true) return await standIn(item?.name ?? '', LIFETIMES.none);
      const picture = await pictures.find(item.id, size, kind);
      if (picture) return answerOf(picture, kind, LIFETIMES.picture);
      return await standIn(item.name, LIFETIMES.notYet);
    } catch (error) {
      if (!(error instanceof Fault) || error.status !== 503) throw error;
      return standIn(items.cachedName(id), LIFETIMES.away);
    }
  };
}

const answerOf = ({ bytes, etag }: LogoFile, kind: PictureKind, maxAgeSeconds: number): LogoAnswer => ({
  bytes,
  etag,
  contentType: TYPES[kind],
  maxAgeSeconds,
  isForAll: true,
});

function notALogo(): never {
  throw new Fault(
    404,
    'api.methodNotFound',
    'No such picture: use an id, a size and .png or .jpg, such as s123q.png',
  );
}

/** Words skipped for initials when the name has others. */
const EMPTY = new Set(
  'the a an of and la le les el los las lo il i gli de del der die das den et y e und o os as fm am dab web www http https com online stream'.split(
    ' ',
  ),
);
/** Vowels written before the consonant that they are spoken after. */
const VOWELS_BEFORE = /^[เ-ไເ-ໄ]/;
/** Marks and modifiers that belong to a preceding letter, and variation selectors left from emoji. */
const SILENT_START = /^[\p{M}\p{Lm}]+/u;
/** Scripts in which one letter stands for a word or joins with others: two side by side would be read together. */
const ALONE =
  /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Armenian}\p{Script=Georgian}\p{Nd}]/u;
const MAX_DIGITS = 3;
/** An acronym, whose first letter alone says nothing: WQXR, 1LIVE. */
const CALL_SIGN = /^[A-Z\d]{3,}$/;

/** One or two drawable letters for a name; '' when there are none. */
export function initialsOf(name: string): string {
  const words = wordsOf(name);
  const significant = words.filter((word) => !EMPTY.has(word.toLowerCase()));
  const [first = '', second = ''] = significant.length > 0 ? significant : words;
  const digits = /^\p{Nd}{2,}/u.exec(first)?.[0].slice(0, MAX_DIGITS);
  if (digits !== undefined && letterOf(digits) !== '') return digits;
  const one = letterOf(first);
  if (one === '' || !ALONE.test(one)) return one;
  return one + alsoAlone(letterOf(second === '' && CALL_SIGN.test(first) ? first.slice(1) : second));
}

const alsoAlone = (letter: string): string => (ALONE.test(letter) ? letter : '');

/** Normalises decorative letters; words are separated by anything that is neither letter nor digit. */
const wordsOf = (name: string): string[] =>
  name
    .normalize('NFKC')
    .slice(0, 200)
    .split(/[^\p{L}\p{M}\p{Nd}]+/u)
    .map((word) => word.replace(SILENT_START, ''))
    .filter((word) => word !== '');

/** The first letter as drawn: a capital if there is one, without its accent if only that can be drawn. */
function letterOf(word: string): string {
  const [letter = ''] = word.replace(VOWELS_BEFORE, '');
  const [capital = ''] = letter.toUpperCase();
  const [bare = ''] = capital.normalize('NFD');
  return [capital, letter, bare].find((form) => form !== '' && hasGlyph(form)) ?? '';
}

interface ItemDeps {
  directory: Pick<Directory, 'current'>;
  db: Queryable;
  aliases: Pick<Aliases, 'find'>;
}

/** Something with a name and perhaps a picture. */
interface LogoItem {
  id: ParsedGuideId;
  name: string;
  /** Whether a picture exists or may be fetched later. */
  hasImage: boolean;
}

const KEPT = { most: 20_000, freshMs: 3_600_000, staleMs: 24 * 3_600_000 };
/** Only stations and shows have names and pictures. */
const NAMED = /^[sp]/;

/** Stations and shows by their ids, or by aliases from other directories. */
class LogoItems {
  readonly #deps: ItemDeps;
  readonly #titles: ReadThrough<string | undefined>;

  constructor(deps: ItemDeps) {
    this.#deps = deps;
    this.#titles = new ReadThrough({
      load: async (number) => (await findShow(deps.db, Number(number)))?.title,
      ...KEPT,
    });
  }

  async find(id: string): Promise<LogoItem | undefined> {
    return NAMED.test(id) ? findByAnyId(id, this.#deps.aliases, (own) => this.#find(own)) : undefined;
  }

  /** The name, if known without querying the database. */
  cachedName(id: string): string {
    const [station, show] = [numberOf('s', id), numberOf('p', id)];
    if (station !== undefined) return findStation(this.#deps.directory.current(), station)?.name ?? '';
    return (show !== undefined ? this.#titles.peek(String(show)) : undefined) ?? '';
  }

  async #find(id: ParsedGuideId): Promise<LogoItem | undefined> {
    if (id.letter === 's') {
      const station = findStation(this.#deps.directory.current(), id.number);
      return station && { id, name: station.name, hasImage: station.hasLogo };
    }
    const title = id.letter === 'p' ? await this.#titles.get(String(id.number)) : undefined;
    return title === undefined ? undefined : { id, name: title, hasImage: true };
  }
}

/** After this time every process shows a new picture. */
const FRESH_MS = 10 * 60_000;
const STALE_MS = 24 * 3_600_000;
/** Misses are cached too, at about the size of their key. */
const NONE_BYTES = 200;

/** Frequently requested pictures, in a memory-bounded cache. */
class KeptPictures {
  readonly #kept: ReadThrough<LogoFile | undefined>;

  constructor(db: Queryable, mostBytes: number) {
    this.#kept = new ReadThrough({
      load: (key) => load(db, key),
      most: Math.max(mostBytes, 1),
      weightOf: (file) => (file?.bytes.length ?? 0) + NONE_BYTES,
      freshMs: FRESH_MS,
      staleMs: STALE_MS,
    });
  }

  find(
    { letter, number }: ParsedGuideId,
    size: PictureSize,
    kind: PictureKind,
  ): Promise<LogoFile | undefined> {
    return this.#kept.get(`${guideId(letter, number)}${size}.${kind}`);
  }

  use(): ReturnType<ReadThrough<unknown>['use']> {
    return this.#kept.use();
  }
}

/** By file name. */
async function load(db: Queryable, fileName: string): Promise<LogoFile | undefined> {
  const name = parseLogoPath(fileName);
  const id = name && parseGuideId(name.id);
  const found = id && (await findPicture(db, id, name.size, name.kind));
  return found && { bytes: found.bytes, etag: `"${found.digest}-${name.size}.${name.kind}"` };
}

/** The size letter before the extension; clients replace it as needed. */
const SIZES: Readonly<Record<string, PictureSize>> = { t: 't', s: 't', '': 'q', q: 'q', d: 'd', g: 'g' };
const NAME = /^([a-z]\d{1,16})([tsqdg]?)\.(png|jpe?g)$/;

export interface LogoName {
  id: string;
  size: PictureSize;
  kind: PictureKind;
}

/** `/logos/s123q.png` -> s123, q, png. */
export function parseLogoPath(path: string): LogoName | undefined {
  const file = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  const [, id, letter = '', extension = ''] = NAME.exec(file) ?? [];
  if (id === undefined) return undefined;
  return { id, size: SIZES[letter] ?? 'q', kind: extension === 'png' ? 'png' : 'jpg' };
}
