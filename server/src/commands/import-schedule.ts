import { createReadStream, statSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { Config } from '../config.ts';
import { openContext } from '../context.ts';
import { extendSchedules } from '../import/schedule/extend.ts';
import { type ScheduleSummary, importSchedule } from '../import/schedule/import-schedule.ts';
import { systemClock } from '../lib/clock.ts';
import { parseGuideId } from '../lib/guide-id.ts';
import { UsageError } from './command.ts';

export const SCHEDULE_USAGE = [
  'import schedule FILE --station s123 [--format NAME] [--zone ZONE] [--channel ID]',
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
      extend: { type: 'boolean' },
    },
  });
  const { station, extend, ...told } = values;
  if (extend) return extendAll(config);
  const [file] = positionals;
  if (file === undefined) throw new UsageError('say what to import: import schedule FILE --station s123');
  const stationId = parseStation(station);
  const bytes = openFile(file);
  await using context = openContext(config, { name: 'import', statementTimeoutMs: LONGEST_STATEMENT_MS });
  const now = systemClock.now();
  console.log(
    writeScheduleSummary(await importSchedule({ pool: context.pool, stationId, bytes, now, ...told })),
  );
}

function parseStation(text: string | undefined): number {
  const id = text === undefined ? undefined : parseGuideId(text);
  if (id?.letter === 's') return id.number;
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

async function extendAll(config: Config): Promise<void> {
  await using context = openContext(config, { name: 'import', statementTimeoutMs: LONGEST_STATEMENT_MS });
  const stations = await extendSchedules(context.pool, systemClock.now());
  console.log(`the schedules of ${stations} stations go on for three weeks`);
}

const MOST_REASONS = 20;

function writeScheduleSummary({
  format,
  broadcasts,
  rules,
  newShows,
  from,
  until,
  passedOver,
}: ScheduleSummary): string {
  const more = passedOver.length - MOST_REASONS;
  return [
    `${broadcasts} broadcasts from ${from.toString()} to ${until.toString()}, read as ${format}`,
    ...(rules > 0 ? [`  ${rules} rules, which 'longwave import schedule --extend' lets go on`] : []),
    `  ${newShows} new shows`,
    ...(passedOver.length > 0 ? [`  ${passedOver.length} passed over:`] : []),
    ...passedOver.slice(0, MOST_REASONS).map((why) => `    ${why}`),
    ...(more > 0 ? [`    and ${more} more`] : []),
  ].join('\n');
}
