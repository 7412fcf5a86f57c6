import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Pool } from 'pg';
import { api } from '../../../../src/app/api.ts';
import { openBroadcasters } from '../../../../src/app/open-broadcasters.ts';
import { openPlayingStore, redisPrefix } from '../../../../src/app/open-playing.ts';
import { Budgets } from '../../../../src/core/accounts/budgets.ts';
import { memberKeys } from '../../../../src/core/accounts/keys.ts';
import { PasswordLogins } from '../../../../src/core/accounts/login/password-logins.ts';
import { Passwords } from '../../../../src/core/accounts/login/passwords.ts';
import { listPartners } from '../../../../src/core/accounts/partners/partners.ts';
import { Aliases } from '../../../../src/core/directory/lookup/by-any-id.ts';
import { FleetBuckets } from '../../../../src/core/limits/fleet-buckets.ts';
import { RedisBook } from '../../../../src/core/limits/redis-book.ts';
import { PlayingBoard } from '../../../../src/core/now-playing/playing-board.ts';
import { StreamBoard } from '../../../../src/core/directory/live/keep-streams.ts';
import { CallerPlaces } from '../../../../src/core/places/caller-places.ts';
import { systemClock } from '../../../../src/lib/clock.ts';
import { createLog } from '../../../../src/lib/log.ts';
import { parseNetwork } from '../../../../src/net/http/caller/addresses.ts';
import { lists } from '../../../../src/protocols/lists/lists.ts';
import { radioBrowser } from '../../../../src/protocols/radio-browser/radio-browser.ts';
import { siteApi } from '../../../../src/protocols/site/api/site-api.ts';
import { addStationKey } from '../../../../src/storage/catalog/stations/station-keys.ts';
import { FAST_HASHING, MEMBER_KEY, NO_BUDGETS } from '../../../apps/account-app.ts';
import { testApp } from '../../../apps/http-server.ts';
import { seededDirectory } from '../../../content/seeded-directory.ts';
import { makeFailable, makeRedisFailable } from './failing-calls.ts';

export interface AnomalyWorld extends AsyncDisposable {
  pool: Pool;
  /** Their guide ids. */
  stations: readonly string[];
  /** Opens what station 1 tells. */
  stationKey: string;
  /** The whole service, which knows nothing yet of what it read before. */
  freshApp: () => FastifyInstance;
}

const ROWS = join(import.meta.dirname, '../../../seed/beside-stations.sql');

/** The service as `serve` builds it, on the small fictional directory, with connections that can be told to fail. */
export async function anomalyWorld(): Promise<AnomalyWorld> {
  await using opened = new AsyncDisposableStack();
  opened.use(makeRedisFailable());
  const { database, directory } = opened.use(await seededDirectory());
  const { pool } = database;
  await pool.query(readFileSync(ROWS, 'utf8'));
  await pool.query(
    "SELECT setval('preset_serials', 1000), setval('folder_serials', 1000), setval('accounts_id_seq', 100)",
  );
  const stationKey = (await addStationKey(pool, 1, 'test')) ?? '';
  const partners = new Map((await listPartners(pool)).map((row) => [row.id, row]));
  makeFailable(pool);
  const log = createLog({ level: 'silent' });
  const redisUrl = process.env['REDIS_URL'] ?? '';
  const store = opened.use(await openPlayingStore(redisUrl, { pool, log }));
  const board = opened.use(new PlayingBoard({ store, clock: systemClock }));
  const prefix = `${await redisPrefix(redisUrl, pool)}limits:`;
  const book = opened.use(new RedisBook({ url: redisUrl, log, prefix, least: 1, onLow: () => undefined }));
  const keys = memberKeys(MEMBER_KEY);
  const workers = { queue: 100, waitMs: 10_000 };
  const passwords = opened.use(new Passwords({ keys, hashing: FAST_HASHING, workers }));
  const clock = systemClock;

  const freshApp = (): FastifyInstance => {
    const aliases = new Aliases(pool);
    const books = [{ book, part: () => 1, sharers: () => 1 }];
    const buckets = new FleetBuckets({ clock, books, salt: MEMBER_KEY });
    const budgets = new Budgets(clock, NO_BUDGETS, buckets);
    const logins = new PasswordLogins({ pool, keys, clock, passwords, buckets });
    const members = { pool, keys, logins, legacyCredentials: false };
    const places = new CallerPlaces(pool);
    const studios = { directory, aliases, db: pool, playing: store, board, log };
    const air = openBroadcasters({ ...studios, buckets });
    const shared = { directory, db: pool, aliases, places, members, passwords, budgets, clock };
    const { app } = testApp(api({ ...shared, playing: board, air, logoCacheBytes: 0 }), {
      logLevel: 'silent',
      siteEndpoints: siteApi(shared),
      plainEndpoints: air.plainEndpoints,
      protocols: [radioBrowser({ directory, db: pool, streamBoard: new StreamBoard() }), lists(shared)],
      trustedProxies: [parseNetwork('127.0.0.1')!],
      findPartner: (id) => partners.get(id),
    });
    app.addHook('onClose', async () => {
      air[Symbol.dispose]();
      await buckets[Symbol.asyncDispose]();
    });
    return app;
  };
  const kept = opened.move();
  const stations = directory.current().stations.map(({ id }) => `s${id}`);
  return { pool, stations, stationKey, freshApp, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}
