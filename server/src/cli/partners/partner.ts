import { parseArgs } from 'node:util';
import type { Pool } from 'pg';
import { openContext } from '../../app/context.ts';
import {
  addPartner,
  changePartner,
  findPartner,
  isPartnerId,
  listPartners,
  listPartnersAfter,
  type PartnerRow,
} from '../../core/accounts/partners/partners.ts';
import {
  listUnknownPartners,
  type UnknownPartnerRow,
} from '../../core/accounts/partners/unknown-partners.ts';
import { editDistance } from '../../lib/near-names.ts';
import type { Queryable } from '../../storage/db/pool.ts';
import { transaction } from '../../storage/db/transaction.ts';
import { type Command, UsageError } from '../command.ts';
import { inColumns, plain } from '../terminal.ts';
import { parsePartnerId, PARTNER_OPTIONS, type PartnerValues, readChanges } from './partner-values.ts';

const PAGE = 100;
const SEEN = 'Running servers apply it within half a minute, or immediately on SIGHUP.';

export const partnerCommand: Command = {
  usage: [
    'partner add ID [--name TEXT] [… as for set]',
    'partner list [--after ID]',
    'partner unknown [--after ID]',
    'partner show ID',
    'partner set ID [--name TEXT] [--contact TEXT|none] [--serial-scope TEXT] [--formats mp3,aac|none]',
    'partner set ID [--stations-per-group N] [--shows-per-group N] [--requests-per-second N|none] [--may-forward yes|no]',
    'partner set ID [--device PROFILE|none] [--relay on|off]',
    'partner disable ID',
    'partner enable ID',
  ],
  summary: 'manage partners: the makers of devices and apps',
  async run(args, config) {
    const { positionals, values } = parseArgs({ args, allowPositionals: true, options: PARTNER_OPTIONS });
    const [action = '', id, ...more] = positionals;
    const act = ACTIONS.get(action);
    if (!act) throw new UsageError(`give an action: ${[...ACTIONS.keys()].join(', ')}`);
    if (!LISTS.has(action) && id === undefined)
      throw new UsageError(`give the partner: partner ${action} ID`);
    if (more.length > 0) throw new UsageError(`'${more[0]}' is unexpected; put texts with spaces in quotes`);
    refuseUnused(action, Object.keys(values));
    await using context = openContext(config, { name: 'partner' });
    console.log(await act(context.pool, id ?? '', values));
  },
};

const LISTS: ReadonlySet<string> = new Set(['list', 'unknown']);

/** Rejects options that belong to another action. */
function refuseUnused(action: string, options: readonly string[]): void {
  const isChange = action === 'add' || action === 'set';
  const unused = options.find((option) => (option === 'after' ? !LISTS.has(action) : !isChange));
  if (unused !== undefined) throw new UsageError(`partner ${action} takes no --${unused}`);
}

type Act = (pool: Pool, id: string, values: PartnerValues) => Promise<string>;

const ACTIONS: ReadonlyMap<string, Act> = new Map<string, Act>([
  ['add', add],
  ['list', list],
  ['unknown', listUnknown],
  ['show', show],
  ['set', set],
  ['disable', (pool, id) => turn(pool, id, 'disabled')],
  ['enable', (pool, id) => turn(pool, id, 'active')],
]);

async function add(pool: Pool, given: string, values: PartnerValues): Promise<string> {
  const id = parsePartnerId(given);
  const changes = readChanges(values);
  const added = await transaction(pool, async (client) => {
    const isNew = await addPartner(client, { id, name: id });
    return isNew && changePartner(client, id, changes);
  });
  // Not an error, so that setup scripts can run again.
  if (!added)
    return `partner ${id} already exists and was not changed; to change it: longwave partner set ${id} …`;
  return `partner ${id} is registered. ${SEEN}`;
}

async function list(pool: Pool, _id: string, { after = '' }: PartnerValues): Promise<string> {
  const rows = await listPartnersAfter(pool, after, PAGE + 1);
  if (rows.length === 0)
    return after === '' ? 'no partners yet: longwave partner add ID' : 'no more partners';
  const page = rows.slice(0, PAGE);
  const next = rows.length > PAGE ? `\nmore: longwave partner list --after '${page.at(-1)?.id}'` : '';
  return writePartners(page) + next;
}

/** Ids that radios called with and that nobody registered. */
async function listUnknown(pool: Pool, _id: string, { after = '' }: PartnerValues): Promise<string> {
  const rows = await listUnknownPartners(pool, after, PAGE + 1);
  const page = rows.slice(0, PAGE);
  const [newest] = page;
  if (!newest) return after === '' ? 'no id was refused that is not registered' : 'no more ids';
  const next =
    rows.length > PAGE ? `\nmore: longwave partner unknown --after ${quoted(page.at(-1)?.id)}` : '';
  const example = isPartnerId(newest.id) ? newest.id : 'ID';
  return `${writeUnknown(page)}${next}\n\nRegister one with: longwave partner add ${quoted(example)} --name 'My radio'`;
}

/** For a shell: ids are of any signs. */
const quoted = (id = ''): string => (/^[\w.-]+$/.test(id) ? id : `'${id.replaceAll("'", String.raw`'\''`)}'`);

const writeUnknown = (rows: readonly UnknownPartnerRow[]): string =>
  inColumns([
    ['ID', 'CALLS', 'FIRST', 'LAST', 'DEVICE', 'PROGRAM'],
    ...rows.map(({ id, calls, first_seen: first, last_seen: last, profile, agent }) =>
      [id, String(calls), minuteOf(first), minuteOf(last), profile, agent || '-'].map(plain),
    ),
  ]);

/** `2026-11-17 09:30Z` */
const minuteOf = (instant: Temporal.Instant): string =>
  instant.toString({ smallestUnit: 'minute' }).replace('T', ' ');

async function show(pool: Pool, id: string): Promise<string> {
  const partner = await findPartner(pool, id);
  if (!partner) throw await noSuchPartner(pool, id);
  return `${writePartner(partner)}\n\nChange it with: longwave partner set ${id} … ${SEEN}`;
}

async function set(pool: Pool, id: string, values: PartnerValues): Promise<string> {
  const changes = readChanges(values);
  if (Object.keys(changes).length === 0) throw new UsageError('give what to set, such as --formats mp3,aac');
  const before = await findPartner(pool, id);
  const changed = await changePartner(pool, id, changes);
  if (!before || !changed) throw await noSuchPartner(pool, id);
  const isMoved = before.serial_scope !== changed.serial_scope;
  const moved = `\nA serial identifies a device only within its scope: presets saved under ${before.serial_scope} are not visible under ${changed.serial_scope}. Set it back to restore them.`;
  return `${writePartner(changed)}\n\n${SEEN}${isMoved ? moved : ''}`;
}

async function turn(pool: Pool, id: string, state: 'active' | 'disabled'): Promise<string> {
  if (!(await changePartner(pool, id, { state }))) throw await noSuchPartner(pool, id);
  return `partner ${id} is ${state}. ${SEEN}`;
}

const HEADER = ['ID', 'STATE', 'STATIONS', 'SHOWS', 'CALLS/S', 'FORMATS', 'BY', 'NAME'];

/** One line per partner, in columns. */
const writePartners = (partners: readonly PartnerRow[]): string =>
  inColumns([
    HEADER,
    ...partners.map(
      ({
        id,
        state,
        stations_per_group,
        shows_per_group,
        requests_per_second,
        formats,
        registered_by,
        name,
      }) => [
        id,
        state,
        String(stations_per_group),
        String(shows_per_group),
        String(requests_per_second ?? '-'),
        formats ?? 'all',
        registered_by,
        name,
      ],
    ),
  ]);

const REGISTERED_BY: Readonly<Record<string, string>> = {
  operator: 'the operator',
  longwave: 'Longwave: known devices have this id built in',
  itself: 'automatically: a device called with this id (PARTNERS=any); partner disable blocks it',
};

/** Everything about one partner, with explanations. */
const writePartner = (partner: PartnerRow): string =>
  inColumns([
    ['id', partner.id],
    ['name', partner.name],
    ['state', partner.state === 'active' ? 'active' : 'disabled: refused like an unknown partner'],
    ['registered by', REGISTERED_BY[partner.registered_by] ?? partner.registered_by],
    ['contact', partner.contact ?? 'none'],
    ['stations per group', String(partner.stations_per_group)],
    ['shows per group', String(partner.shows_per_group)],
    ['requests per second', partner.requests_per_second?.toString() ?? 'not set; CALLS_PER_ADDRESS applies'],
    ['formats', partner.formats ?? 'all, unless a call names its own'],
    ['device', partner.device ?? 'detected for each call'],
    [
      'relay',
      partner.relay
        ? 'on: its radios are sent to the relay from anywhere (RELAY=partners)'
        : 'off: its radios are sent to the relay at home only',
    ],
    ['serial scope', partner.serial_scope],
    [
      'may forward',
      partner.may_forward_addresses
        ? 'yes: listeners are located by its X-Forwarded-For'
        : 'no: listeners are located by the address of the call',
    ],
  ]);

const MAX_NAMED = 5;

/** Suggests partners with similar ids. */
async function noSuchPartner(db: Queryable, id: string): Promise<Error> {
  const partners = await listPartners(db);
  const near = nearIds(
    id,
    partners.map((partner) => partner.id),
  );
  const advice = near.length > 0 ? `did you mean ${near.join(' or ')}?` : 'longwave partner list shows them';
  return new Error(`there is no partner '${id}'; ${advice}`);
}

/** Ids where one contains the other, or that differ in one or two letters; the nearest first. */
export function nearIds(given: string, ids: readonly string[]): string[] {
  const wanted = given.toLowerCase();
  return ids
    .map((id) => ({ id, distance: distanceOf(wanted, id.toLowerCase()) }))
    .filter(({ id, distance }) => distance <= 2 && distance < id.length)
    .toSorted((a, b) => a.distance - b.distance)
    .slice(0, MAX_NAMED)
    .map(({ id }) => id);
}

function distanceOf(a: string, b: string): number {
  if (a.length > 2 && b.length > 2 && (a.includes(b) || b.includes(a))) return a === b ? 0 : 1;
  return editDistance(a, b);
}
