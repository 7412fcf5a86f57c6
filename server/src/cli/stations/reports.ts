import { once } from 'node:events';
import { parseArgs } from 'node:util';
import type { Pool } from 'pg';
import { openContext } from '../../app/context.ts';
import { writeCsv } from '../../formats/csv/rows.ts';
import { listReports, type ReportRow, closeReport } from '../../storage/catalog/reports.ts';
import { type Command, UsageError } from '../command.ts';
import { inColumns } from '../terminal.ts';

const PAGE = 50;
const CSV_PAGE = 1000;

interface Wanted {
  before: number;
  isOpen: boolean;
}

export const reportsCommand: Command = {
  usage: ['reports [--open] [--before NUMBER]', 'reports --csv [--open]', 'reports settle NUMBER…'],
  summary: 'list or settle reports from listeners and radios',
  async run(args, config) {
    const { positionals, values } = parseArgs({
      args,
      allowPositionals: true,
      options: { open: { type: 'boolean' }, before: { type: 'string' }, csv: { type: 'boolean' } },
    });
    const [action, ...numbers] = positionals;
    if (action !== undefined && action !== 'settle')
      throw new UsageError(`'${action}' is not an action; use settle, or no action to list reports`);
    const wanted = { before: parseNumber(values.before ?? `${2 ** 50}`), isOpen: values.open === true };
    const ids = numbers.map(parseNumber);
    if (action === 'settle' && ids.length === 0)
      throw new UsageError('give the number: reports settle NUMBER');
    await using context = openContext(config, { name: 'reports' });
    if (action === 'settle') await close(context.pool, ids);
    else if (values.csv) await exportAll(context.pool, wanted);
    else console.log(await list(context.pool, wanted));
  },
};

function parseNumber(text: string): number {
  if (!/^\d{1,16}$/.test(text)) throw new UsageError(`'${text}' is not a report number`);
  return Number(text);
}

async function list(pool: Pool, { before, isOpen }: Wanted): Promise<string> {
  const rows = await listReports(pool, { before, isOpen, limit: PAGE + 1 });
  if (rows.length === 0) return isOpen ? 'no open reports' : 'no reports';
  const page = rows.slice(0, PAGE);
  const more = `\nmore: longwave reports${isOpen ? ' --open' : ''} --before ${page.at(-1)?.id}`;
  return writeReports(page) + (rows.length > PAGE ? more : '');
}

/** Reads page by page, as fast as the output is consumed. */
async function exportAll(pool: Pool, wanted: Wanted): Promise<void> {
  process.stdout.write(REPORTS_HEADER);
  let { before } = wanted;
  for (;;) {
    const rows = await listReports(pool, { before, isOpen: wanted.isOpen, limit: CSV_PAGE });
    if (!process.stdout.write(writeReportsCsv(rows))) await once(process.stdout, 'drain');
    if (rows.length < CSV_PAGE) return;
    before = rows.at(-1)?.id ?? 0;
  }
}

async function close(pool: Pool, ids: readonly number[]): Promise<void> {
  for (const id of ids) {
    if (!(await closeReport(pool, id)))
      throw new Error(`there is no open report ${id}; longwave reports --open lists them`);
    console.log(`report ${id} is settled; its contact details were deleted`);
  }
}

const MAX_WIDTH = 60;

/** Removes control characters from strangers' text, which could manipulate the terminal. */
const harmless = (text: string): string => text.replaceAll(/[\p{Cc}\p{Cf}]/gu, ' ');

const shorten = (text: string): string => {
  const letters = Array.from(harmless(text));
  return letters.length <= MAX_WIDTH ? letters.join('') : `${letters.slice(0, MAX_WIDTH - 1).join('')}…`;
};

const itemOf = ({ item_kind: kind, item_id: id }: ReportRow): string => (kind === null ? '' : `${kind}${id}`);

const wordsOf = ({ error_code: code, message }: ReportRow): string =>
  [code === null ? '' : `error ${code}`, message ?? ''].filter((text) => text !== '').join(': ');

/** For people: long texts are cut. */
function writeReports(rows: readonly ReportRow[]): string {
  const header = ['NUMBER', 'LAST SAID', 'KIND', 'ABOUT', 'TIMES', 'STATE', 'WORDS'];
  const lines = rows.map((row) => [
    String(row.id),
    row.last_at.toString({ smallestUnit: 'minute' }).replace('T', ' '),
    row.kind,
    shorten([itemOf(row), row.address ?? ''].filter((text) => text !== '').join(' ')),
    String(row.occurrences),
    row.state,
    shorten([wordsOf(row), row.contact ?? ''].filter((text) => text !== '').join(' · ')),
  ]);
  return inColumns([header, ...lines]);
}

const REPORTS_HEADER = writeCsv([
  [
    'number',
    'first_said',
    'last_said',
    'kind',
    'item',
    'address',
    'error',
    'message',
    'contact',
    'partner',
    'times',
    'state',
  ],
]);

/** For spreadsheets: complete, and no cell is interpreted as a formula. */
const writeReportsCsv = (rows: readonly ReportRow[]): string =>
  writeCsv(
    rows.map((row) => [
      String(row.id),
      row.first_at.toString(),
      row.last_at.toString(),
      row.kind,
      itemOf(row),
      row.address ?? '',
      row.error_code === null ? '' : String(row.error_code),
      row.message ?? '',
      row.contact ?? '',
      row.partner_id ?? '',
      String(row.occurrences),
      row.state,
    ]),
  );
