import { countHeard, countWorkerConnections } from '../../storage/catalog/catalogue-health.ts';
import { type RowOf, statement } from '../../storage/db/statement.ts';
import { broken, type Check, type Finding, note, type CheckContext, warning, well } from './check.ts';
import { drawBar, secondsBetween, formatCount, formatSeconds } from './format.ts';

/** By then stations have moved and new ones have appeared. */
const OLD_SECONDS = 60 * 86_400;
const IMPORT = 'longwave import stations https://de1.api.radio-browser.info';

export const directoryCheck: Check = {
  title: 'Directory',
  async look(context) {
    const { stations, streams, cities } = await countDirectory(context.pool);
    return [
      cities === 0
        ? broken('places', 'none: no station can be imported', 'longwave import places')
        : well('places', `${formatCount(cities)} cities`),
      stations === 0
        ? broken('stations', 'none: every menu is empty', IMPORT)
        : well('stations', `${formatCount(stations)} with ${formatCount(streams)} streams`),
      ...(stations === 0 ? [] : [await imported(context)]),
    ];
  },
};

async function imported({ pool, clock }: CheckContext): Promise<Finding> {
  const last = await findLastImport(pool);
  if (!last) return note('import', 'no import was recorded', IMPORT);
  const { source, started_at: startedAt, finished_at: finishedAt } = last;
  const ago = secondsBetween(finishedAt ?? startedAt, clock.now());
  if (finishedAt === null)
    return warning(
      'import',
      `the last one, of ${source}, began ${formatSeconds(ago)} ago and has not ended`,
      'wait for it, or run it again: it continues where it stopped',
    );
  const text = `${source}, ${formatSeconds(ago)} ago`;
  return ago > OLD_SECONDS ? warning('import', text, `to update: ${IMPORT}`) : well('import', text);
}

/** If fewer than this play, the cause is more likely this machine's network than the stations. */
const FEW = 0.5;

export const streamsCheck: Check = {
  title: 'Streams',
  async look({ pool }) {
    const { checked, plays } = await countHeard(pool);
    if (checked === 0) return [note('health', 'unknown: no stream was probed yet', 'longwave work')];
    const share = plays / checked;
    const text = `${drawBar(share)} ${Math.floor(share * 100)} % of ${formatCount(checked)} play`;
    if (share >= FEW) return [well('health', text)];
    return [
      warning(
        'health',
        text,
        "run longwave probe s1 to see why; if all fail alike, check this machine's network",
      ),
    ];
  },
};

/** A worker that keeps up is minutes behind at most, or an hour after importing the whole world. */
const LATE_SECONDS = 3600;
const MORE_WORK = 'start another longwave work, or raise';

export const workCheck: Check = {
  title: 'Work',
  async look(context) {
    const isAlive = (await countWorkerConnections(context.pool)) > 0;
    return [workerLine(isAlive), await streamWork(context, isAlive), await feedWork(context, isAlive)];
  },
};

const workerLine = (isAlive: boolean): Finding =>
  isAlive
    ? well('worker', 'one is connected to the database')
    : warning(
        'worker',
        'none is running: streams are not probed, feeds and schedules are not read',
        'longwave work',
      );

async function streamWork(context: CheckContext, isAlive: boolean): Promise<Finding> {
  const { pool, clock, config } = context;
  if (config.probeConcurrency === 0) return note('streams', 'PROBE_CONCURRENCY=0: none is probed');
  const { last_checked_at: last } = await countHeard(pool);
  const ago = last === null ? undefined : formatSeconds(secondsBetween(last, clock.now()));
  const heard = ago === undefined ? 'none was probed yet' : `the last was probed ${ago} ago`;
  return behind('streams', heard, await findOverdueStreams(pool), context, isAlive && 'PROBE_CONCURRENCY');
}

async function feedWork(context: CheckContext, isAlive: boolean): Promise<Finding> {
  if (!(await hasFeeds(context.pool)))
    return note('feeds', 'no podcasts', 'longwave import podcasts my-podcasts.opml');
  const overdue = await findOverdueFeeds(context.pool);
  return behind('feeds', 'read when they are due', overdue, context, isAlive && 'FEED_CONCURRENCY');
}

/** `lever` is the setting that makes a running worker do more; false when none runs. */
function behind(
  name: string,
  text: string,
  { overdue, oldest_at: oldest }: RowOf<typeof OVERDUE>,
  { clock }: CheckContext,
  lever: string | false,
): Finding {
  const lateSeconds = oldest === null ? 0 : secondsBetween(oldest, clock.now());
  const many = overdue === MAX_OVERDUE ? `over ${formatCount(overdue)}` : formatCount(overdue);
  const full = overdue === 0 ? text : `${text}; ${many} overdue, by up to ${formatSeconds(lateSeconds)}`;
  if (lateSeconds < LATE_SECONDS) return well(name, full);
  return warning(name, full, lever === false ? 'longwave work' : `${MORE_WORK} ${lever}`);
}

const countDirectory = statement(
  'doctor-directory',
  { stations: 'int8', streams: 'int8', cities: 'int8' },
  `SELECT (SELECT count(*) FROM stations WHERE listed) AS stations, (SELECT count(*) FROM streams WHERE listed) AS streams,
     (SELECT count(*) FROM cities) AS cities`,
).one();

const findLastImport = statement(
  'doctor-last-import',
  { source: 'text', started_at: 'timestamptz', finished_at: 'timestamptz?' },
  'SELECT source, started_at, finished_at FROM import_runs ORDER BY started_at DESC LIMIT 1',
).first();

/** Counting stops here; beyond this the exact number does not matter. */
const MAX_OVERDUE = 10_000;
const OVERDUE = { overdue: 'int8', oldest_at: 'timestamptz?' } as const;
const overdueIn = (table: string, where: string): string =>
  `SELECT count(*) AS overdue, min(next_due_at) AS oldest_at FROM (
     SELECT next_due_at FROM ${table} WHERE next_due_at < now() ${where} ORDER BY next_due_at LIMIT ${MAX_OVERDUE}
   ) AS due`;
const overdueStreams = statement('doctor-streams-overdue', OVERDUE, overdueIn('stream_checks', ''));
const findOverdueStreams = overdueStreams.one();
const overdueFeeds = statement('doctor-feeds-overdue', OVERDUE, overdueIn('feeds', 'AND gone_at IS NULL'));
const findOverdueFeeds = overdueFeeds.one();

const hasFeeds = statement(
  'doctor-first-feed',
  { show_id: 'int8' },
  'SELECT show_id FROM feeds ORDER BY show_id LIMIT 1',
).exists();
