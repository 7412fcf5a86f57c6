import { randomBytes } from 'node:crypto';
import { Pool } from 'pg';
import { DirectoryClient } from '../../../client/src/client.ts';
import { findAccountIdByUsername } from '../../src/core/accounts/accounts.ts';
import { addAppPassword, removeAppPassword } from '../../src/core/accounts/app-passwords/app-passwords.ts';
import { requireSameKey } from '../../src/core/accounts/key-state.ts';
import { memberKeys } from '../../src/core/accounts/keys.ts';
import { addListToken, removeListTokens } from '../../src/core/accounts/list-tokens.ts';
import { startService, type Service } from './service.ts';

/** A member and what belongs to it. */
export interface Member {
  username: string;
  password: string;
  /** Further folders, besides the default one. */
  folders: readonly [string, string];
}

/** Two members, a device with presets under one partner, and a partner that was disabled. */
export interface World extends AsyncDisposable {
  service: Service;
  ann: Member;
  others: readonly [Member, Member];
  /** A saved address of Ann's. */
  address: string;
  /** Ireland's. */
  countryId: string;
  serial: string;
  serialFolder: string;
  /** Secrets in addresses of lists: Ann's, and one of another member that was revoked. */
  listTokens: { ann: string; revoked: string };
  /** Passwords of apps: Ann's, another member's, and one of Ann's that was revoked. */
  appPasswords: { ann: string; other: string; revoked: string };
  /** Everything saved, as one text: the same text is the same state. */
  state(): Promise<string>;
}

const STATE = `SELECT jsonb_agg(row ORDER BY row) AS state FROM (
  SELECT to_jsonb(presets) - 'created_at' AS row FROM presets WHERE account_id = ANY ($1)
  UNION ALL SELECT to_jsonb(folders) - 'created_at' FROM folders WHERE account_id = ANY ($1)
  UNION ALL SELECT to_jsonb(feed_subscriptions) - 'serial' FROM feed_subscriptions WHERE account_id = ANY ($1)
  UNION ALL SELECT to_jsonb(episode_actions) - 'serial' FROM episode_actions WHERE account_id = ANY ($1)
  UNION ALL SELECT to_jsonb(app_devices) FROM app_devices WHERE account_id = ANY ($1)
  UNION ALL SELECT to_jsonb(devices) FROM devices WHERE scope = 'kit') AS rows`;

export async function makeWorld(): Promise<World> {
  // Each call names an address of its own, so that no limit of one address has a say; the mail goes nowhere.
  const mail = { MAIL_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'radio@radio.example' };
  const service = await startService({ TRUSTED_PROXIES: '127.0.0.1', PARTNERS: 'registered', ...mail });
  const pool = new Pool({ connectionString: service.databaseUrl, max: 2 });
  await pool.query(`INSERT INTO partners (id, name, serial_scope, state)
    VALUES ('other', 'Other', 'other', 'active'), ('gone', 'Gone', 'kit', 'disabled')`);
  process.kill(service.pid, 'SIGHUP');
  const { origin: baseUrl, secureOrigin: secureBaseUrl } = service;
  const client = new DirectoryClient({ baseUrl, secureBaseUrl, partnerId: 'kit', deadlineMs: 30_000 });
  const countries = await client.describe.countries();
  const countryId = countries.find(({ text }) => text === 'Ireland')?.guideId ?? '';
  const make = (): Promise<Member> => makeMember(client, countryId);
  const [ann, bo, cy] = [await make(), await make(), await make()];
  const { url, name, ...asAnn } = { url: 'http://stream.example.net/hers', name: 'Hers', ...ann };
  await client.with(asAnn).preset.add({ url, name });
  const serial = randomBytes(12).toString('hex');
  const device = client.with({ serial });
  await device.preset.add({ id: 's3' });
  const serialFolder = await device.preset.addFolder('Boat');
  const known = await pool.query<{ ids: number[] }>('SELECT array_agg(id) AS ids FROM accounts');
  const saved = await pool.query<{ id: string }>('SELECT id FROM presets WHERE address = $1', [url]);
  const idOf = async ({ username }: Member): Promise<number> =>
    (await findAccountIdByUsername(pool, username)) ?? 0;
  const tokenOf = async (member: Member): Promise<string> =>
    (await addListToken(pool, await idOf(member))) ?? '';
  const listTokens = { ann: await tokenOf(ann), revoked: await tokenOf(cy) };
  await removeListTokens(pool, await idOf(cy));
  const keys = memberKeys(service.memberKey);
  await requireSameKey(pool, keys);
  const appOf = async (member: Member): Promise<{ id: number; password: string }> =>
    (await addAppPassword(pool, keys, { accountId: await idOf(member), app: 'phone' })) ?? {
      id: 0,
      password: '',
    };
  const [kept, revoked, other] = [await appOf(ann), await appOf(ann), await appOf(bo)];
  await removeAppPassword(pool, await idOf(ann), revoked.id);
  return {
    service,
    appPasswords: { ann: kept.password, other: other.password, revoked: revoked.password },
    listTokens,
    ann,
    others: [bo, cy],
    address: saved.rows[0]?.id ?? '',
    countryId,
    serial,
    serialFolder,
    state: async () => JSON.stringify((await pool.query(STATE, [known.rows[0]?.ids])).rows),
    async [Symbol.asyncDispose]() {
      await pool.end();
      await service[Symbol.asyncDispose]();
    },
  };
}

async function makeMember(client: DirectoryClient, countryId: string): Promise<Member> {
  const account = { username: `a${randomBytes(5).toString('hex')}`, password: 'right+1234' };
  const email = `${account.username}@radio.example`;
  await client.account.create({ ...account, email, city: 'Cork', countryId });
  const { preset } = client.with(account);
  return { ...account, folders: [await preset.addFolder('Kitchen'), await preset.addFolder('Attic')] };
}
