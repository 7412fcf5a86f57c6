import type { ParsedGuideId } from '../../lib/guide-id.ts';
import type { Queryable } from '../db/pool.ts';
import { type RowOf, statement } from '../db/statement.ts';

/** A report about an item, an address, or both. */
interface NewReport {
  kind: 'wizard' | 'feedback' | 'stream';
  item: ParsedGuideId | undefined;
  address?: string | undefined;
  errorCode?: number | undefined;
  message?: string | undefined;
  contact?: string | undefined;
  partnerId?: string | undefined;
  /** Equal for repeated reports: those are counted, not stored twice. */
  dedupeKey: string;
  /** Settled when a check will handle it; open when the operator has to read it. */
  state: 'open' | 'settled';
}

/** Nobody can read more; further reports are refused until some are settled. */
export const MAX_OPEN = 5000;

const keep = statement(
  'report-keep',
  { id: 'int8' },
  `INSERT INTO reports (kind, item_kind, item_id, address, error_code, message, contact, partner_id, dedupe_key, state)
   SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10
   WHERE $10 = 'settled' OR EXISTS (SELECT FROM reports WHERE dedupe_key = $9)
     OR NOT EXISTS (SELECT FROM reports WHERE state = 'open' OFFSET ${MAX_OPEN - 1} LIMIT 1)
   ON CONFLICT (dedupe_key) DO UPDATE SET occurrences = reports.occurrences + 1, last_at = now(),
     contact = CASE WHEN reports.state = 'open' THEN coalesce(excluded.contact, reports.contact) END
   RETURNING id`,
);

/** The report's id; undefined when too many are open. */
export async function keepReport(db: Queryable, report: NewReport): Promise<number | undefined> {
  const { kind, item, address, errorCode, message, contact, partnerId, dedupeKey, state } = report;
  const subject = [item?.letter ?? null, item?.number ?? null, address ?? null];
  const said = [errorCode ?? null, message ?? null, contact ?? null, partnerId ?? null];
  const [kept] = await keep.run(db, [kind, ...subject, ...said, dedupeKey, state]);
  return kept?.id;
}

const COLUMNS = {
  id: 'int8',
  kind: 'text',
  item_kind: 'text?',
  item_id: 'int8?',
  address: 'text?',
  error_code: 'int4?',
  message: 'text?',
  contact: 'text?',
  partner_id: 'text?',
  occurrences: 'int4',
  state: 'text',
  first_at: 'timestamptz',
  last_at: 'timestamptz',
} as const;
const LIST = Object.keys(COLUMNS).join(', ');

export type ReportRow = RowOf<typeof COLUMNS>;

const all = statement(
  'reports-before',
  COLUMNS,
  `SELECT ${LIST} FROM reports WHERE id < $1 ORDER BY id DESC LIMIT $2`,
);
const open = statement(
  'reports-open-before',
  COLUMNS,
  `SELECT ${LIST} FROM reports WHERE state = 'open' AND id < $1 ORDER BY id DESC LIMIT $2`,
);

/** The newest with a lower id. */
export const listReports = (
  db: Queryable,
  { before, limit, isOpen }: { before: number; limit: number; isOpen: boolean },
): Promise<ReportRow[]> => (isOpen ? open : all).run(db, [before, limit]);

/** False when there is no open report with this id. The reporter's contact details were given for this report only. */
export const closeReport = statement(
  'report-settle',
  { id: 'int8' },
  "UPDATE reports SET state = 'settled', contact = NULL, last_at = now() WHERE id = $1 AND state = 'open' RETURNING id",
).exists((id: number) => [id]);
