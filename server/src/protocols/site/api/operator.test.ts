import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { member, type SiteApp, siteApp } from '../../../../test/apps/site-app.ts';
import { OPERATOR_LINK_HOURS, offerOperatorLink } from '../../../core/accounts/operators.ts';
import { claimInstallation, saveHome, saveSetupProgress } from '../../../storage/installation.ts';

let site: SiteApp;
before(async () => {
  site = await siteApp();
});
after(() => site?.[Symbol.asyncDispose]());

test('the link makes its first reader an operator, and nobody else', async () => {
  const { pool } = site.database;
  const [old, token] = [await offerOperatorLink(pool), await offerOperatorLink(pool)];
  const first = await member(site, 'First');
  const second = await member(site, 'Second');
  const spent = async (visitor: typeof first, body: object): Promise<unknown[]> => {
    const { status, json } = await visitor.ask('POST', 'operator', body);
    return [status, json.error?.code];
  };
  assert.deepEqual(await spent(first, { token: old }), [410, 'site.linkOver'], 'a newer link replaced it');
  assert.deepEqual(await spent(first, { token }), [200, undefined]);
  assert.deepEqual(await spent(second, { token }), [410, 'site.linkOver'], 'it was used');
  assert.deepEqual(
    [(await first.get('session')).account.isOperator, (await second.get('session')).account.isOperator],
    [true, false],
  );
  const late = await offerOperatorLink(pool);
  await pool.query(
    `UPDATE operator_links SET expires_at = expires_at - interval '${OPERATOR_LINK_HOURS} hours'`,
  );
  assert.deepEqual(await spent(second, { token: late }), [410, 'site.linkOver'], 'it was too old');
});

test('of links used at once by two, one works', async () => {
  const visitors = [await member(site, 'Ada'), await member(site, 'Bob')];
  const token = await offerOperatorLink(site.database.pool);
  const answers = await Promise.all(visitors.map((visitor) => visitor.ask('POST', 'operator', { token })));
  assert.deepEqual(answers.map(({ status }) => String(status)).toSorted(), ['200', '410']);
});

test('an operator who closes the account is none any more', async () => {
  const keeper = await member(site, 'Leaves');
  await keeper.send('POST', 'operator', { token: await offerOperatorLink(site.database.pool) });
  assert.equal((await keeper.ask('GET', 'operator')).status, 200);
  const { pool } = site.database;
  await pool.query("UPDATE accounts SET closed_at = now() WHERE username = 'Leaves'");
  assert.equal((await keeper.ask('GET', 'operator')).status, 403);
});

test('everybody sees how far the setup is while it runs, and the operator what it learned', async () => {
  const { pool } = site.database;
  const visitor = await member(site, 'Looks');
  assert.deepEqual(await visitor.get('setup'), { setup: null });
  await claimInstallation(pool, 'directory');
  await saveSetupProgress(pool, 'stations', 12_000);
  assert.deepEqual(await visitor.get('setup'), { setup: { step: 'stations', done: 12_000 } });
  // A setup that was killed says nothing any more.
  await pool.query("UPDATE installation SET setup_at = now() - interval '5 minutes'");
  assert.deepEqual(await visitor.get('setup'), { setup: null });
  await saveSetupProgress(pool, undefined);
  await saveHome(pool, 'Hamburg, Germany', true);
  await pool.query(
    "INSERT INTO station_sources (name, failures, trouble) VALUES ('radio-browser', 1, 'it answered 503')",
  );
  await pool.query(`INSERT INTO radios (address, partner_id, agent, profile, seen_at, calls) VALUES ('192.168.1.9', '15', 'Squeeze',
    'lyrion', '2026-01-05T06:00:00Z', '[{"at": 1767592800000, "what": "Tune s1", "status": 403, "code": "partner.invalid", "answer": "No"}]')`);
  await visitor.send('POST', 'operator', { token: await offerOperatorLink(pool) });
  const { radios, ...rest } = await visitor.get('operator');
  assert.partialDeepStrictEqual(radios, [
    {
      address: '192.168.1.9',
      seenAt: '2026-01-05T06:00:00Z',
      trouble: { text: 'its partner id 15 is refused: No' },
      calls: [{ at: '2026-01-05T06:00:00Z', what: 'Tune s1', status: 403 }],
    },
  ]);
  assert.deepEqual(rest, {
    stations: 20,
    home: { place: 'Hamburg, Germany', isGuess: true },
    sources: [{ name: 'radio-browser', readAt: null, trouble: 'it answered 503' }],
  });
});

test('a database is a demo or a directory, never both', async () => {
  const { pool } = site.database;
  await assert.rejects(claimInstallation(pool, 'demo'), /belongs to a directory.*set DATABASE_URL/);
  await claimInstallation(pool, 'directory');
});
