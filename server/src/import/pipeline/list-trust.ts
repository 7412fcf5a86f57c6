import type { Queryable } from '../../storage/db/pool.ts';
import { statement } from '../../storage/db/statement.ts';
import type { ResolvedRecord } from './clean-record.ts';
import { fitsAddress, fitsHomepage, shareWord } from './name-evidence.ts';
import { ANNOUNCED_SOURCE } from './record.ts';

/** A list is not trusted while fewer of its names than that are right; those of most are right 98 to 100 times of 100. */
const MIN_RIGHT = 0.95;
/** Fewer comparisons say nothing of a list. */
const MIN_COMPARED = 20;
/** A record may name any list; beyond this many nothing is learned of another. */
const MAX_LISTS = 1000;

/** How often a list's names were compared with those of other lists for the same address, and how often they were right. */
interface Score {
  compared: number;
  right: number;
}

/** What one list calls the station at an address. */
export interface NameAt {
  list: string;
  name: string;
  address: string;
  homepageHost: string | undefined;
}

export const namingList = ({ source, clean }: Pick<ResolvedRecord, 'source' | 'clean'>): string =>
  clean.list ?? source;

export const nameAt = (record: ResolvedRecord): NameAt => ({
  list: namingList(record),
  name: record.clean.name,
  address: record.clean.stream.address,
  homepageHost: record.clean.homepageHost,
});

/** Whether the address or the homepage beside a name speaks for it. */
const isProven = ({ name, address, homepageHost }: Omit<NameAt, 'list'>): boolean =>
  fitsAddress(name, address) || (homepageHost !== undefined && fitsHomepage(name, homepageHost));

/** Whether a list with this score is believed what it calls its stations. */
export const isTrusted = ({ compared, right }: Score): boolean =>
  compared < MIN_COMPARED || right >= MIN_RIGHT * compared;

const listScores = statement(
  'list-trust-scores',
  { list: 'text', compared: 'int4', right_names: 'int4' },
  'SELECT list, compared, right_names FROM list_scores',
);

const addScores = statement(
  'list-trust-add',
  { list: 'text' },
  `INSERT INTO list_scores AS l (list, compared, right_names)
   SELECT * FROM unnest($1::text[], $2::int[], $3::int[])
   ON CONFLICT (list) DO UPDATE SET compared = excluded.compared, right_names = excluded.right_names
   RETURNING l.list`,
);

/**
 * Which lists are believed what they call a station. In some lists names stand beside the address of their neighbour, so
 * each is measured against the others: where two lists name one address, both are right if the names have a word in common.
 * If they have none, the one is right whose address or homepage speaks for its name; if that is true of both or of
 * neither, nothing is learned.
 */
export class ListTrust {
  readonly #scores: Map<string, Score>;
  readonly #changed = new Set<string>();

  constructor(scores: Iterable<readonly [string, Score]> = []) {
    this.#scores = new Map(scores);
  }

  static async load(db: Queryable): Promise<ListTrust> {
    const rows = await listScores.run(db, []);
    return new ListTrust(
      rows.map(({ list, compared, right_names: right }) => [list, { compared, right }] as const),
    );
  }

  async save(db: Queryable): Promise<void> {
    if (this.#changed.size === 0) return;
    const scores = [...this.#changed].map((list) => ({ list, ...this.scoreOf(list) }));
    await addScores.run(db, [
      scores.map(({ list }) => list),
      scores.map(({ compared }) => compared),
      scores.map(({ right }) => right),
    ]);
    this.#changed.clear();
  }

  scoreOf(list: string): Score {
    return this.#scores.get(list) ?? { compared: 0, right: 0 };
  }

  /** Compares what a record calls the station at its address with what the first record of another list does. */
  compare(said: NameAt, there: readonly NameAt[]): void {
    const other = there.find(({ list }) => list !== said.list && list !== ANNOUNCED_SOURCE);
    if (!other || said.list === ANNOUNCED_SOURCE) return;
    if (shareWord(said.name, other.name)) {
      this.#count(said.list, true);
      this.#count(other.list, true);
      return;
    }
    const [own, others] = [isProven(said), isProven(other)];
    if (own === others) return;
    this.#count(said.list, own);
    this.#count(other.list, others);
  }

  #count(list: string, isRight: boolean): void {
    if (this.#scores.size >= MAX_LISTS && !this.#scores.has(list)) return;
    const { compared, right } = this.scoreOf(list);
    this.#scores.set(list, { compared: compared + 1, right: right + Number(isRight) });
    this.#changed.add(list);
  }

  /** Whether only the address of a record counts: its list is not trusted, and nothing else speaks for its name. */
  isDoubtful(record: ResolvedRecord): boolean {
    // An announcement may give itself any name and any homepage.
    if (record.source === ANNOUNCED_SOURCE) return true;
    return !isTrusted(this.scoreOf(namingList(record))) && !isProven(nameAt(record));
  }
}
