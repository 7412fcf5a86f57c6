import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { linkIn, mailedSite } from '../../../../test/apps/mailed-site.ts';
import { SITE_PASSWORD, Visitor, member } from '../../../../test/apps/site-app.ts';
import { waitingForLock } from '../../../../test/database/waiting-for-lock.ts';

const NEWER = 'lamp-on-the-pier-8';
const HTTPS = { host: 'radio.test', 'x-forwarded-proto': 'https' };

const world = await mailedSite();
const { mail, site } = world;
after(() => world[Symbol.asyncDispose]());

const sessionsOf = async (username: string): Promise<number> => {
  const { rows } = await site.database.pool.query(
    `WITH a AS MATERIALIZED (SELECT id FROM accounts WHERE username = $1)
     SELECT count(*)::int4 FROM site_sessions WHERE account_id IN (SELECT id FROM a)`,
    [username],
  );
  return rows[0].count;
};

/** Somebody elsewhere signs in with the present password; between that and the session `meanwhile` happens. */
async function signInWhile(username: string, meanwhile: () => Promise<unknown>) {
  const { pool } = site.database;
  const elsewhere = new Visitor(site, { ...HTTPS, 'x-forwarded-for': '203.0.113.9' });
  const holder = await pool.connect();
  try {
    // Written when a password was right from a new network, and by nothing that an owner at home does.
    await holder.query('BEGIN; LOCK TABLE known_networks IN SHARE MODE');
    const signing = elsewhere.ask('POST', 'sign-in', { username, password: SITE_PASSWORD });
    await waitingForLock(pool, 1, signing);
    await meanwhile();
    await holder.query('ROLLBACK');
    return { ...(await signing), elsewhere };
  } finally {
    holder.release();
  }
}

/** Whoever has signed in once is known at home. */
async function ownerOf(username: string): Promise<Visitor> {
  const owner = await member(site, username);
  await owner.send('POST', 'sign-in', { username, password: SITE_PASSWORD });
  return owner;
}

test('a sign-in that looked at the old password begins no session once there is another', async () => {
  const owner = await ownerOf('Changer');
  const { status, elsewhere } = await signInWhile('Changer', () =>
    owner.send('PATCH', 'me', { password: { old: SITE_PASSWORD, new: NEWER } }),
  );
  assert.deepEqual([status, elsewhere.cookie], [401, undefined]);
  assert.equal(await sessionsOf('Changer'), 1, 'only that of who changed it');
  assert.equal((await owner.get('session')).account.username, 'Changer');
});

test('the same after a link that was mailed', async () => {
  const owner = await ownerOf('Linked');
  await owner.send('POST', 'forgotten', { who: 'Linked' });
  const [letter] = await mail.letters('linked@mail.example');
  const { token } = linkIn(letter?.text);
  const opener = new Visitor(site);
  const chosen = { username: 'Linked', token, password: NEWER };
  const { status } = await signInWhile('Linked', () => opener.send('POST', 'new-password', chosen));
  assert.equal(status, 401);
  assert.equal(await sessionsOf('Linked'), 1, 'only that of who opened the link');
});

test('an e-mail address is not changed by a password that is no longer good', async () => {
  const owner = await ownerOf('Moved');
  const thief = new Visitor(site, { ...HTTPS, 'x-forwarded-for': '203.0.113.9' });
  await thief.send('POST', 'sign-in', { username: 'Moved', password: SITE_PASSWORD });
  const { pool } = site.database;
  const holder = await pool.connect();
  let stealing;
  try {
    // Where the change waits for its turn, the password has been looked at.
    const { rows } = await holder.query("SELECT id FROM accounts WHERE username = 'Moved'");
    await holder.query('BEGIN');
    await holder.query('SELECT FROM accounts WHERE id = $1 FOR UPDATE', [rows[0].id]);
    const change = { email: 'thief@mail.example', currentPassword: SITE_PASSWORD };
    stealing = thief.ask('PATCH', 'me', change);
    await waitingForLock(pool, 1, stealing);
    const hash = await site.passwords.hash(NEWER);
    await holder.query("UPDATE accounts SET site_password_hash = $1 WHERE username = 'Moved'", [hash]);
    await holder.query('COMMIT');
  } finally {
    holder.release();
  }
  const { status, json } = await stealing;
  assert.deepEqual([status, json.error?.code], [403, 'validation.credentials']);
  assert.equal((await owner.get('session')).account.email, 'moved@mail.example');
});

test('e-mail address, password and sessions change together or not at all', async () => {
  const owner = await ownerOf('Halfway');
  const { pool } = site.database;
  await pool.query(
    "CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'not now'; END $$",
  );
  await pool.query('CREATE TRIGGER fail BEFORE DELETE ON site_sessions EXECUTE FUNCTION fail()');
  const change = { email: 'new@mail.example', password: { old: SITE_PASSWORD, new: NEWER } };
  assert.equal((await owner.ask('PATCH', 'me', change)).status, 500);
  await pool.query('DROP FUNCTION fail CASCADE');
  assert.equal((await owner.get('session')).account.email, 'halfway@mail.example');
  const signIn = (password: string) =>
    new Visitor(site).ask('POST', 'sign-in', { username: 'Halfway', password });
  assert.deepEqual([(await signIn(NEWER)).status, (await signIn(SITE_PASSWORD)).status], [401, 200]);
  const { account } = await owner.send('PATCH', 'me', change);
  assert.equal(account.email, 'new@mail.example');
  assert.equal((await signIn(NEWER)).status, 200);
});
