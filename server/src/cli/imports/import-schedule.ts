import { parseArgs } from 'node:util';
import type { Config } from '../../app/config.ts';
import { type Context, openContext } from '../../app/context.ts';
import type { SavedSchedule, ScheduleToSave } from '../../core/on-air/save-schedule.ts';
import { importSchedule } from '../../import/sources/schedule/import-schedule.ts';
import { systemClock } from '../../lib/clock.ts';
import { guideId, numberOf } from '../../lib/guide-id.ts';
import { SafeFetcher } from '../../net/fetch/fetch-safely.ts';
import {
  listScheduleAddresses,
  type ScheduleAddressRow,
} from '../../storage/catalog/schedules/due-schedules.ts';
import { type ScheduleMaintenance, maintainSchedules } from '../../workers/schedules/maintain-schedules.ts';
import { type FollowedSchedule, followSchedule, unfollowSchedule } from '../../workers/schedules/refresh.ts';
import { UsageError } from '../command.ts';
import { openListFile } from './list-file.ts';

export const SCHEDULE_USAGE = [
  'import schedule FILE|ADDRESS --station s123 [--format NAME] [--zone ZONE] [--channel ID]',
  'import schedule --station s123 --forget',
  'import schedule --list',
  'import schedule --extend',
];

const MAX_STATEMENT_MS = 60_000;

export async function importScheduleCommand(args: string[], config: Config): Promise<void> {
  const { positionals, values } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      station: { type: 'string' },
      format: { type: 'string' },
      zone: { type: 'string' },
      channel: { type: 'string' },
      forget: { type: 'boolean' },
      list: { type: 'boolean' },
      extend: { type: 'boolean' },
    },
  });
  const { station, forget, list, extend, ...given } = values;
  const [from, ...others] = positionals;
  if (others.length > 0) throw new UsageError(`import one schedule at a time; '${others[0]}' is too much`);
  const run = list ? listAll : extend ? extendAll : undefined;
  if (!run && !forget && from === undefined)
    throw new UsageError('give what to import: import schedule FILE|ADDRESS --station s123');
  const stationId = run ? 0 : parseStation(station);
  await using context = openContext(config, { name: 'import', statementTimeoutMs: MAX_STATEMENT_MS });
  if (run) await run(context);
  else if (forget) await unfollow(context, stationId);
  else await importOne(context, from ?? '', { stationId, ...given });
}

type ImportedSchedule = Pick<ScheduleToSave, 'stationId' | 'format' | 'zone' | 'channel'>;

async function importOne({ pool }: Context, from: string, given: ImportedSchedule): Promise<void> {
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(from)) {
    const deps = { pool, fetcher: new SafeFetcher(), clock: systemClock };
    return console.log(writeFollowedSchedule(await followSchedule(deps, { address: from, ...given })));
  }
  const bytes = from === '-' ? process.stdin : openListFile(from).file;
  const saved = await importSchedule({ pool, bytes, now: systemClock.now(), ...given });
  console.log(writeSavedSchedule(saved));
}

function parseStation(text: string | undefined): number {
  const id = text === undefined ? undefined : numberOf('s', text);
  if (id !== undefined) return id;
  throw new UsageError(
    text === undefined
      ? 'give its station: --station s123'
      : `'${text}' is not a station id: --station takes one such as s123`,
  );
}

async function unfollow({ pool }: Context, stationId: number): Promise<void> {
  const id = guideId('s', stationId);
  if (!(await unfollowSchedule(pool, stationId)))
    throw new Error(
      `${id} has no schedule address and no rules to remove; 'import schedule --list' shows those that have`,
    );
  console.log(`the schedule of ${id} is no longer updated; broadcasts that are already known stay`);
}

const PAGE = 200;

async function listAll({ pool }: Context): Promise<void> {
  for (let after = 0; ;) {
    const rows = await listScheduleAddresses(pool, { after, limit: PAGE });
    for (const row of rows) console.log(writeScheduleAddress(row));
    if (after === 0 && rows.length === 0)
      console.log("no schedule is read from an address: 'import schedule ADDRESS --station s123' adds one");
    const last = rows.at(-1);
    if (!last || rows.length < PAGE) return;
    after = last.station_id;
  }
}

async function extendAll({ pool, log }: Context): Promise<void> {
  console.log(writeMaintenance(await maintainSchedules({ pool, log, clock: systemClock })));
}

const MAX_REASONS = 20;

function writeSavedSchedule(saved: SavedSchedule): string {
  const { format, broadcasts, rules, newShows, from, until, passedOver } = saved;
  const more = passedOver.length - MAX_REASONS;
  return [
    `${broadcasts} broadcasts from ${from.toString()} to ${until.toString()}, read as ${format}`,
    ...(rules > 0 ? [`  ${rules} rules, which 'longwave work' extends every day`] : []),
    `  ${newShows} new shows`,
    ...(passedOver.length > 0 ? [`  ${passedOver.length} skipped:`] : []),
    ...passedOver.slice(0, MAX_REASONS).map((why) => `    ${why}`),
    ...(more > 0 ? [`    and ${more} more`] : []),
  ].join('\n');
}

const writeFollowedSchedule = (followed: FollowedSchedule): string =>
  [
    writeSavedSchedule(followed),
    `  'longwave work' reads the address again in ${hours(followed.intervalSeconds)}`,
  ].join('\n');

const hours = (seconds: number): string => `${Math.round(seconds / 360) / 10} hours`;

const writeMaintenance = ({ stations, pruned }: ScheduleMaintenance): string =>
  `extended the rules of ${stations} stations to three weeks ahead; deleted ${pruned} old broadcasts`;

/** One per line. The query string is hidden, since it may contain a key. */
function writeScheduleAddress(row: ScheduleAddressRow): string {
  const [address = ''] = row.address.split('?', 1);
  const shown = address === row.address ? address : `${address}?…`;
  const state =
    row.trouble === null
      ? `read ${minute(row.read_at)}, again ${minute(row.next_due_at)}`
      : `failed ${row.failures} times, again ${minute(row.next_due_at)}: ${row.trouble}`;
  return `${guideId('s', row.station_id)}  ${shown}  ${state}`;
}

const minute = (instant: Temporal.Instant | null): string =>
  instant?.toString({ smallestUnit: 'minute' }) ?? 'never';
