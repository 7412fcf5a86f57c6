import { createReadStream, statSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { listScheduleAddresses } from '../catalog/schedule-addresses.ts';
import type { Config } from '../config.ts';
import { type Context, openContext } from '../context.ts';
import { importSchedule } from '../import/schedule/import-schedule.ts';
import { systemClock } from '../lib/clock.ts';
import { SafeFetcher } from '../lib/fetch-safely/fetch-safely.ts';
import { guideId, numberOf } from '../lib/guide-id.ts';
import { followSchedule, forgetSchedule } from '../schedules/follow.ts';
import { keepSchedulesGoing } from '../schedules/keep-going.ts';
import { UsageError } from './command.ts';
import {
  writeFollowedSchedule,
  writeGoingOn,
  writeSavedSchedule,
  writeScheduleAddress,
} from './schedule-text.ts';

export const SCHEDULE_USAGE = [
  'import schedule FILE|ADDRESS --station s123 [--format NAME] [--zone ZONE] [--channel ID]',
  'import schedule --station s123 --forget',
  'import schedule --list',
  'import schedule --extend',
];

const LONGEST_STATEMENT_MS = 60_000;

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
  const { station, forget, list, extend, ...told } = values;
  const [from, ...others] = positionals;
  if (others.length > 0) throw new UsageError(`one schedule at a time: what is '${others[0]}'?`);
  const run = list ? listAll : extend ? extendAll : undefined;
  if (!run && !forget && from === undefined)
    throw new UsageError('say what to import: import schedule FILE|ADDRESS --station s123');
  const stationId = run ? 0 : parseStation(station);
  await using context = openContext(config, { name: 'import', statementTimeoutMs: LONGEST_STATEMENT_MS });
  if (run) await run(context);
  else if (forget) await forgetOne(context, stationId);
  else await importOne(context, from ?? '', { stationId, ...told });
}

interface Told {
  stationId: number;
  format?: string | undefined;
  zone?: string | undefined;
  channel?: string | undefined;
}

async function importOne({ pool }: Context, from: string, told: Told): Promise<void> {
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(from)) {
    const needs = { pool, fetcher: new SafeFetcher(), clock: systemClock };
    return console.log(writeFollowedSchedule(await followSchedule(needs, { address: from, ...told })));
  }
  const bytes = openFile(from);
  const saved = await importSchedule({ pool, bytes, now: systemClock.now(), ...told });
  console.log(writeSavedSchedule(saved));
}

function parseStation(text: string | undefined): number {
  const id = text === undefined ? undefined : numberOf('s', text);
  if (id !== undefined) return id;
  throw new UsageError(
    text === undefined
      ? 'say whose schedule it is: --station s123'
      : `'${text}' is no station: --station takes an id such as s123`,
  );
}

function openFile(path: string): AsyncIterable<Uint8Array> {
  if (path === '-') return process.stdin;
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) throw new Error(`there is no file ${path}`);
  return createReadStream(path);
}

async function forgetOne({ pool }: Context, stationId: number): Promise<void> {
  const id = guideId('s', stationId);
  if (!(await forgetSchedule(pool, stationId)))
    throw new Error(`${id} has neither an address nor rules to forget: see 'import schedule --list'`);
  console.log(`the schedule of ${id} goes on no more; what is known of the coming days stays`);
}

const PAGE = 200;

async function listAll({ pool }: Context): Promise<void> {
  for (let after = 0; ;) {
    const rows = await listScheduleAddresses(pool, { after, limit: PAGE });
    for (const row of rows) console.log(writeScheduleAddress(row));
    const last = rows.at(-1);
    if (!last || rows.length < PAGE) return;
    after = last.station_id;
  }
}

async function extendAll({ pool, log }: Context): Promise<void> {
  console.log(writeGoingOn(await keepSchedulesGoing({ pool, log, clock: systemClock })));
}
