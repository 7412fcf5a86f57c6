import { MAX_APP_PASSWORDS } from '../../../src/core/accounts/app-passwords/app-passwords.ts';
import { MAX_DEVICES } from '../../../src/core/accounts/devices/devices.ts';
import { MAX_FOLDERS, MAX_PRESETS } from '../../../src/core/accounts/presets/preset-rules.ts';
import type { Queryable } from '../../../src/storage/db/pool.ts';

/** Presets that are shown: those of removed folders are kept for a while, and not counted. */
const SHOWN = `SELECT presets.account_id FROM presets JOIN folders
  ON folders.account_id = presets.account_id AND folders.id = presets.folder_id AND removed_at IS NULL`;
const countOf = (from: string): string =>
  `(SELECT count(*) FROM (${from}) AS counted WHERE account_id = accounts.id)`;
const FOLDERS = 'SELECT account_id FROM folders WHERE removed_at IS NULL';
const RADIOS = 'SELECT account_id FROM account_devices WHERE dropped_at IS NULL';

/** Tables that are found by another key than the account, and so have no foreign key to it. */
const LED_TO = [
  'devices',
  'usernames',
  'emails',
  'site_sessions',
  'app_passwords',
  'app_devices',
  'feed_subscriptions',
  'episode_actions',
  'list_tokens',
];

/** What must not be, beyond what constraints make impossible; each selects who is concerned. */
const QUESTIONS: Readonly<Record<string, string>> = {
  'counts another number of presets than it has': `
    SELECT id FROM accounts WHERE preset_count <> ${countOf(SHOWN)}`,
  'counts another number of folders than it has': `
    SELECT id FROM accounts WHERE folder_count <> ${countOf(FOLDERS)}`,
  'has a folder that ends elsewhere than at its last preset': `
    SELECT account_id FROM folders WHERE last_position <> (SELECT coalesce(max(position), 0) FROM presets
      WHERE presets.account_id = folders.account_id AND folder_id = folders.id)`,
  'has no folder to save in': `
    SELECT id FROM accounts WHERE NOT EXISTS (SELECT FROM folders
      WHERE account_id = accounts.id AND is_default AND removed_at IS NULL)`,
  'has two folders of one name': `
    SELECT account_id FROM folders WHERE removed_at IS NULL GROUP BY account_id, lower(name) HAVING count(*) > 1`,
  'has more than it may': `
    SELECT id FROM accounts WHERE ${countOf(SHOWN)} > ${MAX_PRESETS} OR ${countOf(FOLDERS)} > ${MAX_FOLDERS}
      OR ${countOf(RADIOS)} > ${MAX_DEVICES} OR ${countOf('SELECT account_id FROM app_passwords')} > ${MAX_APP_PASSWORDS}`,
  'is of nobody': `
    SELECT id FROM accounts WHERE username IS NULL AND left_at IS NULL
      AND NOT EXISTS (SELECT FROM devices WHERE account_id = accounts.id)
      AND NOT EXISTS (SELECT FROM devices WHERE earlier_account_id = accounts.id)`,
  'is not found by its name': `
    SELECT id FROM accounts WHERE username IS NOT NULL AND NOT EXISTS (SELECT FROM usernames
      WHERE username_key = lower(username) AND account_id = accounts.id)`,
  'shows a device that is another’s': `
    SELECT shown.account_id FROM account_devices AS shown LEFT JOIN devices USING (scope, serial_hash)
    WHERE dropped_at IS NULL AND devices.account_id IS DISTINCT FROM shown.account_id`,
  'does not show a device that it has': `
    SELECT account_id FROM devices JOIN accounts ON accounts.id = account_id
    WHERE username IS NOT NULL AND NOT EXISTS (SELECT FROM account_devices AS shown
      WHERE shown.account_id = devices.account_id AND shown.scope = devices.scope
        AND shown.serial_hash = devices.serial_hash AND dropped_at IS NULL)`,
  ...Object.fromEntries(
    LED_TO.map((table) => [
      `is not there, and ${table} leads to it`,
      `SELECT account_id FROM ${table} WHERE account_id IS NOT NULL
       AND NOT EXISTS (SELECT FROM accounts WHERE id = ${table}.account_id)`,
    ]),
  ),
};

const AUDIT = Object.entries(QUESTIONS)
  .map(([what, ids]) => `SELECT 'account ' || id || ' ${what}' AS what FROM (${ids}) AS found (id)`)
  .join(' UNION ALL ');

/** What is unsound about accounts, folders, presets and devices, in words; empty is what is hoped for. */
export async function auditMembers(db: Queryable): Promise<string[]> {
  const { rows } = await db.query<{ what: string }>({ text: AUDIT });
  return rows.map(({ what }) => what).toSorted();
}

/** For the test of it: every kind of flaw that it looks for. */
export const AUDITED: readonly string[] = Object.keys(QUESTIONS);
