import { type ConfiguredSource, recordSourceOf } from '../../app/settings/source-settings.ts';
import { type RowOf, statement } from '../../storage/db/statement.ts';
import { type Check, type Finding, note, warning, well } from './check.ts';
import { formatCount, formatSeconds, secondsBetween } from './format.ts';

/** A day, the failures of another one, and some time for the import itself. */
const OLD_SECONDS = 2 * 86_400;

/** The lists of stations that are imported again every day. */
export const sourcesCheck: Check = {
  title: 'Sources',
  async look({ config, pool, clock }) {
    const { stationSources } = config;
    if (stationSources.length === 0)
      return [note('daily', 'none: stations are imported only by hand', 'STATION_SOURCES (docs/import.md)')];
    const names = stationSources.map(({ kind, name }) => recordSourceOf(kind, name));
    const rows = new Map((await findSources(pool, names)).map((row) => [row.name, row]));
    const now = clock.now();
    return stationSources.map((source) => findingOf(source, rows, now));
  },
};

function findingOf(
  { kind, name }: ConfiguredSource,
  rows: ReadonlyMap<string, SourceRow>,
  now: Temporal.Instant,
): Finding {
  const row = rows.get(recordSourceOf(kind, name));
  const again = `longwave import sources ${name}`;
  const readAt = row?.read_at ?? null;
  const ago = readAt === null ? undefined : secondsBetween(readAt, now);
  const read = ago === undefined ? 'never read' : `last read ${formatSeconds(ago)} ago`;
  if (row?.trouble != null) {
    const times = row.failures === 1 ? 'once' : `${formatCount(row.failures)} times in a row`;
    const mend = `longwave work tries again by itself; to try at once: ${again}`;
    return warning(name, `failed ${times}: ${row.trouble}; ${read}`, mend);
  }
  if (ago === undefined) return note(name, read, `longwave work, or at once: ${again}`);
  if (row?.lost != null) {
    const drop = `${formatCount(row.lost)} of ${formatCount(row.known ?? 0)} earlier records`;
    return warning(
      name,
      `${read}; it lacks ${drop}, so none of them counts as gone`,
      `look at the list; if it is right: ${again} --accept-drop`,
    );
  }
  return ago > OLD_SECONDS ? warning(name, read, `longwave work, or at once: ${again}`) : well(name, read);
}

const SOURCE = {
  name: 'text',
  read_at: 'timestamptz?',
  failures: 'int2',
  trouble: 'text?',
  known: 'int4?',
  lost: 'int4?',
} as const;
type SourceRow = RowOf<typeof SOURCE>;

const findSources = statement(
  'doctor-sources',
  SOURCE,
  'SELECT name, read_at, failures, trouble, known, lost FROM station_sources WHERE name = ANY ($1::text[])',
).all((names: readonly string[]) => [names]);
