import { parseArgs } from 'node:util';
import type { Pool } from 'pg';
import { openContext } from '../context.ts';
import { transaction } from '../db/transaction.ts';
import { addPartner, changePartner, findPartner, listPartnersAfter } from '../members/partners.ts';
import { UsageError, type Command } from './command.ts';
import { noSuchPartner } from './partner-near.ts';
import { writePartner, writePartners } from './partner-text.ts';
import { PARTNER_OPTIONS, type PartnerValues, parsePartnerId, readChanges } from './partner-values.ts';

const PAGE = 100;
const SEEN = 'Servers that run see it within half a minute, or at once on SIGHUP.';

export const partnerCommand: Command = {
  usage: [
    'partner add ID [--name TEXT] [… as for set]',
    'partner list [--after ID]',
    'partner show ID',
    'partner set ID [--name TEXT] [--contact TEXT|none] [--serial-scope TEXT] [--formats mp3,aac|none]',
    'partner set ID [--stations-per-group N] [--shows-per-group N] [--requests-per-second N|none] [--may-forward yes|no]',
    'partner set ID [--device PROFILE|none]',
    'partner disable ID',
    'partner enable ID',
  ],
  summary: 'the makers of devices and apps that call',
  async run(args, config) {
    const { positionals, values } = parseArgs({ args, allowPositionals: true, options: PARTNER_OPTIONS });
    const [action = '', id, ...more] = positionals;
    const act = ACTIONS.get(action);
    if (!act) throw new UsageError(`say ${[...ACTIONS.keys()].join(', ')}`);
    if (action !== 'list' && id === undefined)
      throw new UsageError(`say which partner: partner ${action} ID`);
    if (more.length > 0) throw new UsageError(`'${more[0]}' is one word too many; put texts in quotes`);
    refuseUnused(action, Object.keys(values));
    await using context = openContext(config, { name: 'partner' });
    console.log(await act(context.pool, id ?? '', values));
  },
};

/** An option that says nothing to an action was meant for another. */
function refuseUnused(action: string, options: readonly string[]): void {
  const isChange = action === 'add' || action === 'set';
  const unused = options.find((option) => (option === 'after' ? action !== 'list' : !isChange));
  if (unused !== undefined) throw new UsageError(`partner ${action} takes no --${unused}`);
}

type Act = (pool: Pool, id: string, values: PartnerValues) => Promise<string>;

const ACTIONS: ReadonlyMap<string, Act> = new Map<string, Act>([
  ['add', add],
  ['list', list],
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
  // No failure, so that what sets a service up can be run again.
  if (!added)
    return `partner ${id} is there already and stays as it is; longwave partner set ${id} … changes it`;
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

async function show(pool: Pool, id: string): Promise<string> {
  const partner = await findPartner(pool, id);
  if (!partner) throw await noSuchPartner(pool, id);
  return `${writePartner(partner)}\n\nChange it with: longwave partner set ${id} … ${SEEN}`;
}

async function set(pool: Pool, id: string, values: PartnerValues): Promise<string> {
  const changes = readChanges(values);
  if (Object.keys(changes).length === 0) throw new UsageError('say what to set, such as --formats mp3,aac');
  const before = await findPartner(pool, id);
  const changed = await changePartner(pool, id, changes);
  if (!before || !changed) throw await noSuchPartner(pool, id);
  const isMoved = before.serial_scope !== changed.serial_scope;
  const moved = `\nDevices are known by serial within a scope: presets saved under ${before.serial_scope} are not seen under ${changed.serial_scope}. Set it back to have them again.`;
  return `${writePartner(changed)}\n\n${SEEN}${isMoved ? moved : ''}`;
}

async function turn(pool: Pool, id: string, state: 'active' | 'disabled'): Promise<string> {
  if (!(await changePartner(pool, id, { state }))) throw await noSuchPartner(pool, id);
  return `partner ${id} is ${state}. ${SEEN}`;
}
