import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { isIP } from 'node:net';
import { test } from 'node:test';
import { isPublicAddress } from '../../../src/lib/public-address.ts';
import { addAnnounced } from '../../../src/storage/catalog/streams/announced-streams.ts';
import { seededDatabase } from '../../database/database.ts';
import { parseXml } from '../../fuzz/check-answer.ts';
import { Dice } from '../../fuzz/dice.ts';
import { sendMutated } from '../../fuzz/send-mutated.ts';
import { ypCall } from '../../fuzz/yp-calls.ts';
import { startService } from '../../processes/service-process.ts';

/** `YP_REQUESTS=200000 YP_SEED=1 node scripts/test.ts server/test/drills/fuzz/yp-fuzz.test.ts` */
const REQUESTS = Number(process.env['YP_REQUESTS'] ?? 2000);
const SEED = Number(process.env['YP_SEED'] ?? randomInt(2 ** 31));
/** Each call from one of these, so that the limits of an address let some through. */
const CALLERS = 200;

/** Whether an address leads into a private network, or tells a secret. */
const isUnsafe = ({ hostname, username }: URL): boolean =>
  username !== '' ||
  hostname.includes('..') ||
  (isIP(hostname.replaceAll(/[[\]]/g, '')) > 0 && !isPublicAddress(hostname));

test(
  `${REQUESTS} mutated calls of Icecast's directory are answered, and none by a failure`,
  { timeout: Math.max(600_000, REQUESTS * 20) },
  async (t) => {
    await using database = await seededDatabase();
    const known = await addAnnounced(database.pool, {
      network: '198.51.100.1',
      caller: '198.51.100.1',
      address: 'http://radio.example.net/known.mp3',
      addressKey: '00000000-0000-0000-0000-00000000f022',
      name: 'Known',
      genre: '',
      homepage: undefined,
      contentType: undefined,
      bitrateKbps: 128,
    });
    const sids = [known ?? '', 'f'.repeat(32), 'x', ''];
    await using service = await startService(database.url, { TRUSTED_PROXIES: '127.0.0.1', YP: 'on' });
    const dice = new Dice(SEED);
    const { sent, kinds, flaws } = await sendMutated({
      origin: service.origin,
      count: REQUESTS,
      make: () => {
        const call = ypCall(dice, sids);
        return {
          ...call,
          headers: { ...call.headers, 'x-forwarded-for': `198.51.100.${dice.below(CALLERS)}` },
        };
      },
      judge(_call, { status, contentType, body }) {
        if (status >= 500) throw new Error(`HTTP status ${status}: ${body.toString().slice(0, 200)}`);
        if (status === 200 && contentType.includes('xml')) parseXml(body.toString());
        return undefined;
      },
    });
    t.diagnostic(`seed ${SEED}: ${sent} calls, ${JSON.stringify(Object.fromEntries(kinds))}`);
    assert.deepEqual(flaws, [], `to see it again: YP_SEED=${SEED}`);
    assert.deepEqual(
      service.log.filter((line) => /failed unexpectedly|nhandled/.test(line)),
      [],
    );
    const { rows } = await database.pool.query<{ address: string; rows: number }>(
      'SELECT address, count(*)::int AS rows FROM announced_streams GROUP BY address',
    );
    assert.ok(rows.length > 2, 'nothing was announced');
    const unsafe = rows.filter(({ address }) => isUnsafe(new URL(address)));
    assert.deepEqual(unsafe, []);
    for (const status of [200, 400, 404])
      assert.ok((kinds.get(String(status)) ?? 0) > 0, `no answer ${status}`);
    assert.ok((kinds.get('200') ?? 0) > REQUESTS / 3, JSON.stringify([...kinds]));
  },
);
