import { once } from 'node:events';
import { parseArgs } from 'node:util';
import type { Pool } from 'pg';
import { listReports, settleReport } from '../catalog/reports.ts';
import { openContext } from '../context.ts';
import { UsageError, type Command } from './command.ts';
import { REPORTS_HEADER, writeReports, writeReportsCsv } from './reports-text.ts';

const PAGE = 50;
const CSV_PAGE = 1000;

interface Wanted {
  before: number;
  isOpen: boolean;
}

export const reportsCommand: Command = {
  usage: ['reports [--open] [--before NUMBER]', 'reports --csv [--open]', 'reports settle NUMBER…'],
  summary: 'what listeners and radios reported',
  async run(args, config) {
    const { positionals, values } = parseArgs({
      args,
      allowPositionals: true,
      options: { open: { type: 'boolean' }, before: { type: 'string' }, csv: { type: 'boolean' } },
    });
    const [action, ...numbers] = positionals;
    if (action !== undefined && action !== 'settle')
      throw new UsageError(`'${action}' is nothing to do with reports; say settle, or nothing to list them`);
    const wanted = { before: parseNumber(values.before ?? `${2 ** 50}`), isOpen: values.open === true };
    const ids = numbers.map(parseNumber);
    if (action === 'settle' && ids.length === 0) throw new UsageError('say which: reports settle NUMBER');
    await using context = openContext(config, { name: 'reports' });
    if (action === 'settle') await settle(context.pool, ids);
    else if (values.csv) await exportAll(context.pool, wanted);
    else console.log(await list(context.pool, wanted));
  },
};

function parseNumber(text: string): number {
  if (!/^\d{1,16}$/.test(text)) throw new UsageError(`'${text}' is no number of a report`);
  return Number(text);
}

async function list(pool: Pool, { before, isOpen }: Wanted): Promise<string> {
  const rows = await listReports(pool, { before, isOpen, limit: PAGE + 1 });
  if (rows.length === 0) return isOpen ? 'no open reports' : 'no reports';
  const page = rows.slice(0, PAGE);
  const more = `\nmore: longwave reports${isOpen ? ' --open' : ''} --before ${page.at(-1)?.id}`;
  return writeReports(page) + (rows.length > PAGE ? more : '');
}

/** A page at a time, as fast as it is taken. */
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

async function settle(pool: Pool, ids: readonly number[]): Promise<void> {
  for (const id of ids) {
    if (!(await settleReport(pool, id)))
      throw new Error(`there is no open report ${id}; longwave reports --open lists them`);
    console.log(`report ${id} is settled; how to reach whoever said it is forgotten`);
  }
}
