import type { Pool } from 'pg';

/** What must hold of the members' tables at any moment that nobody writes, as a query of the rows that break it. */
const BROKEN: Readonly<Record<string, string>> = {
  'an account counts its presets wrongly': `
    SELECT a.id FROM accounts a WHERE preset_count <> (
      SELECT count(*) FROM presets p JOIN folders f ON f.account_id = p.account_id AND f.id = p.folder_id
      WHERE p.account_id = a.id AND f.removed_at IS NULL)`,
  'an account counts its folders wrongly': `
    SELECT a.id FROM accounts a
    WHERE folder_count <> (SELECT count(*) FROM folders f WHERE f.account_id = a.id AND f.removed_at IS NULL)`,
  'a folder does not know its last position': `
    SELECT f.id FROM folders f WHERE last_position <> (
      SELECT coalesce(max(position), 0) FROM presets p WHERE p.account_id = f.account_id AND p.folder_id = f.id)`,
  'two presets have one position': `
    SELECT folder_id FROM presets GROUP BY account_id, folder_id, position HAVING count(*) > 1`,
  'an item is in a folder twice': `
    SELECT folder_id FROM presets GROUP BY account_id, folder_id, kind, coalesce(address, item_id::text)
    HAVING count(*) > 1`,
  'an account has folders and no default one': `
    SELECT account_id FROM folders WHERE removed_at IS NULL GROUP BY account_id HAVING NOT bool_or(is_default)`,
  'a device leads to no account': `
    SELECT account_id FROM devices d
    WHERE account_id IS NOT NULL AND NOT EXISTS (SELECT FROM accounts a WHERE a.id = d.account_id)`,
  'an account names a device that is not its own': `
    SELECT a.id FROM accounts a WHERE device_hash IS NOT NULL AND NOT EXISTS (
      SELECT FROM devices d WHERE d.scope = a.device_scope AND d.serial_hash = a.device_hash AND d.account_id = a.id)`,
  'a device is joined to an account that does not name it': `
    SELECT a.id FROM devices d JOIN accounts a ON a.id = d.account_id
    WHERE a.username IS NOT NULL AND a.device_hash IS DISTINCT FROM d.serial_hash`,
  'a name leads to another account': `
    SELECT account_id FROM usernames u
    WHERE NOT EXISTS (SELECT FROM accounts a WHERE a.id = u.account_id AND lower(a.username) = u.username_key)`,
  'a named account cannot be found': `
    SELECT a.id FROM accounts a WHERE username IS NOT NULL
      AND NOT EXISTS (SELECT FROM usernames u WHERE u.account_id = a.id AND u.username_key = lower(a.username))`,
  'an e-mail address leads to an account that has another': `
    SELECT account_id FROM emails e
    WHERE NOT EXISTS (SELECT FROM accounts a WHERE a.id = e.account_id AND lower(a.email) = e.email_key)`,
};

/** Everything that is broken, in words; nothing when all is well. */
export async function brokenInvariants(pool: Pool): Promise<string[]> {
  const found: string[] = [];
  for (const [name, query] of Object.entries(BROKEN)) {
    const { rows } = await pool.query({ text: `${query} LIMIT 5`, rowMode: 'array' });
    if (rows.length > 0) found.push(`${name}: ${rows.flat().join(', ')}`);
  }
  return found;
}
