import type { Queryable } from '../db/pool.ts';
import { type RowOf, statement } from '../db/statement.ts';

const COLUMNS = {
  id: 'text',
  name: 'text',
  state: 'text',
  serial_scope: 'text',
  contact: 'text?',
  stations_per_group: 'int4',
  shows_per_group: 'int4',
  requests_per_second: 'int4?',
  formats: 'text?',
  may_forward_addresses: 'bool',
} as const;
const LIST = Object.keys(COLUMNS).join(', ');

export type PartnerRow = RowOf<typeof COLUMNS>;

const byId = statement('partner-by-id', COLUMNS, `SELECT ${LIST} FROM partners WHERE id = $1`);
const all = statement('partners', COLUMNS, `SELECT ${LIST} FROM partners ORDER BY id`);

export async function findPartner(db: Queryable, id: string): Promise<PartnerRow | undefined> {
  const [partner] = await byId.run(db, [id]);
  return partner;
}

export const listPartners = (db: Queryable): Promise<PartnerRow[]> => all.run(db, []);

export interface NewPartner {
  id: string;
  name: string;
  /** Within which serials are known; the partner's own id unless it shares one with others. */
  serialScope?: string;
  contact?: string | null;
}

const add = statement(
  'partner-add',
  COLUMNS,
  `INSERT INTO partners (id, name, serial_scope, contact) VALUES ($1, $2, $3, $4)
   ON CONFLICT (id) DO NOTHING RETURNING ${LIST}`,
);

/** Undefined when the id is taken. */
export async function addPartner(db: Queryable, partner: NewPartner): Promise<PartnerRow | undefined> {
  const { id, name, serialScope = id, contact } = partner;
  const [added] = await add.run(db, [id, name, serialScope, contact]);
  return added;
}
