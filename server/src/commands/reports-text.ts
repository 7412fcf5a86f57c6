import type { ReportRow } from '../catalog/reports.ts';
import { writeCsv } from '../formats/csv/write-csv.ts';
import { inColumns } from './in-columns.ts';

const WIDEST = 60;

/** What strangers wrote must not steer the operator's terminal. */
const harmless = (text: string): string => text.replaceAll(/[\p{Cc}\p{Cf}]/gu, ' ');

const shorten = (text: string): string => {
  const letters = Array.from(harmless(text));
  return letters.length <= WIDEST ? letters.join('') : `${letters.slice(0, WIDEST - 1).join('')}…`;
};

const itemOf = ({ item_kind: kind, item_id: id }: ReportRow): string => (kind === null ? '' : `${kind}${id}`);

const wordsOf = ({ error_code: code, message }: ReportRow): string =>
  [code === null ? '' : `error ${code}`, message ?? ''].filter((text) => text !== '').join(': ');

/** For a person to read: long texts are cut. */
export function writeReports(rows: readonly ReportRow[]): string {
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

export const REPORTS_HEADER = writeCsv([
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

/** For a spreadsheet: everything, and nothing in it is a formula. */
export const writeReportsCsv = (rows: readonly ReportRow[]): string =>
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
