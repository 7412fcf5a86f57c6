import type { Queryable } from '../../../storage/db/pool.ts';
import { type RowOf, statement } from '../../../storage/db/statement.ts';

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
  device: 'text?',
  relay: 'bool',
  registered_by: 'text',
} as const;
const LIST = Object.keys(COLUMNS).join(', ');

export type PartnerRow = RowOf<typeof COLUMNS>;

/** Devices send it in a URL, so it is plain letters, digits and signs. */
export const isPartnerId = (text: string): boolean => /^[!-~]{1,64}$/.test(text);

export const findPartner = statement(
  'partner-by-id',
  COLUMNS,
  `SELECT ${LIST} FROM partners WHERE id = $1`,
).first((id: string) => [id]);
export const listPartners = statement('partners', COLUMNS, `SELECT ${LIST} FROM partners ORDER BY id`).all();
/** The page of partners after an id; '' for the first page. */
export const listPartnersAfter = statement(
  'partners-after',
  COLUMNS,
  `SELECT ${LIST} FROM partners WHERE id > $1 ORDER BY id LIMIT $2`,
).all((id: string, limit: number) => [id, limit]);

export interface NewPartner {
  id: string;
  name: string;
  /** The scope in which serials are unique; the partner's own id unless it shares one with others. */
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

/** Registers a partner by its first call; undefined when the id is taken or too many have registered this way. */
export const addPartnerItself = statement(
  'partner-add-itself',
  COLUMNS,
  `INSERT INTO partners (id, name, serial_scope, registered_by)
   SELECT $1::text, $1, $1, 'itself'
   WHERE (SELECT count(*) FROM partners WHERE registered_by = 'itself') < $2::bigint
   ON CONFLICT (id) DO NOTHING RETURNING ${LIST}`,
).first((id: string, most: number) => [id, most]);

/** What an operator may change about an existing partner; not its id, which is built into devices. */
export type PartnerChanges = Partial<Omit<PartnerRow, 'id' | 'registered_by'>>;

/**
 * Undefined when there is no such partner. Fields without a change keep their value, also under concurrent changes.
 */
export const changePartner = statement(
  'partner-change',
  COLUMNS,
  `UPDATE partners SET
     (name, state, serial_scope, contact, stations_per_group, shows_per_group, requests_per_second, formats,
      may_forward_addresses, device, relay) =
     (SELECT name, state, serial_scope, contact, stations_per_group, shows_per_group, requests_per_second, formats,
      may_forward_addresses, device, relay
      FROM jsonb_populate_record(partners, $2::jsonb))
   WHERE id = $1 RETURNING ${LIST}`,
).first((id: string, changes: PartnerChanges) => [id, JSON.stringify(changes)]);
