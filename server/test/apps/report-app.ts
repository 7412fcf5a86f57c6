import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import { memberKeys } from '../../src/core/accounts/keys.ts';
import { listPartners } from '../../src/core/accounts/partners/partners.ts';
import { addressKey, cleanAddress } from '../../src/core/cleaning/clean-address.ts';
import { Aliases } from '../../src/core/directory/lookup/by-any-id.ts';
import { buildSnapshot } from '../../src/core/directory/snapshot/build-snapshot.ts';
import { parseNetwork } from '../../src/net/http/caller/addresses.ts';
import { report } from '../../src/protocols/radiotime/report/report.ts';
import { Chooser, firstChoice } from '../../src/protocols/radiotime/tune/choice.ts';
import { type TestDatabase, testDatabase } from '../database/database.ts';
import { testApp } from './http-server.ts';
import { ManualClock } from '../time/manual-clock.ts';

/** Streams 11 and 12 of station 1, stream 21 of station 2; a source thinks well of all. */
export const ADDRESSES: Readonly<Record<number, string>> = {
  11: 'http://one.example.net:8000/live.mp3',
  12: 'http://other.example.net/live',
  21: 'http://two.example.net/list.m3u',
};

const ROWS = `
  INSERT INTO stations (id, name, name_key) SELECT n, 'Station ' || n, 'station ' || n FROM generate_series(1, 2) n;
  INSERT INTO stations (id, name, name_key) VALUES (3, 'Silent FM', 'silent fm');
  INSERT INTO shows (id, title) VALUES (5, 'A show');
  INSERT INTO topics (show_id, id, shard, title, address, topic_key, published_at)
    VALUES (5, 5 + 1024, 5, 'A topic', 'http://media.example.net/t', gen_random_uuid(), now());
  INSERT INTO aliases (scheme, foreign_id, kind, item_id) VALUES ('elsewhere', 's424242', 's', 1);
  INSERT INTO partners (id, name, serial_scope) VALUES ('maker', 'A maker', 'maker');
  INSERT INTO partners (id, name, serial_scope, state) VALUES ('gone', 'A maker of old', 'maker', 'disabled');`;

type Fields = Readonly<Record<string, string>>;

export interface ReportApp extends AsyncDisposable {
  app: FastifyInstance;
  database: TestDatabase;
  clock: ManualClock;
  keys: ReturnType<typeof memberKeys>;
  /** A report as a query, from an address of its own unless told. */
  say: (fields: Fields, from?: string) => Promise<LightMyRequestResponse>;
  /** The same as a form. */
  post: (fields: Fields, from?: string) => Promise<LightMyRequestResponse>;
}

/** Report on two stations, behind a proxy that says where calls come from. */
export async function reportApp({ hasKeys = true } = {}): Promise<ReportApp> {
  const database = await testDatabase();
  const { pool } = database;
  await pool.query(ROWS);
  for (const [id, address] of Object.entries(ADDRESSES)) await addStream(pool, Number(id), address);
  const snapshot = await buildSnapshot(pool);
  const partners = new Map((await listPartners(pool)).map((row) => [row.id, row]));
  const clock = new ManualClock(Temporal.Now.instant().toString());
  const keys = memberKeys('k'.repeat(40));
  const deps = {
    directory: { current: () => snapshot },
    db: pool,
    aliases: new Aliases(pool),
    clock,
    members: hasKeys ? { keys } : undefined,
  };
  const { app } = testApp([report(deps, firstChoice(new Chooser()))], {
    clock,
    findPartner: (id) => partners.get(id),
    trustedProxies: [parseNetwork('127.0.0.1')!],
    logLevel: 'silent',
  });
  return {
    app,
    database,
    clock,
    keys,
    say: (fields, from) =>
      app.inject({
        url: `/Report.ashx?${new URLSearchParams(fields).toString()}`,
        headers: headers(from),
      }),
    post: (fields, from) =>
      app.inject({
        method: 'POST',
        url: '/Report.ashx',
        headers: { ...headers(from), 'content-type': 'application/x-www-form-urlencoded' },
        payload: new URLSearchParams(fields).toString(),
      }),
    async [Symbol.asyncDispose]() {
      await app.close();
      await database[Symbol.asyncDispose]();
    },
  };
}

const headers = (from = newAddress()): Fields => ({ host: 'radio.test', 'x-forwarded-for': from });

let networks = 0;
/** In a network where nobody else is. */
export function newAddress(): string {
  networks += 1;
  return `93.${(networks >> 8) % 256}.${networks % 256}.7`;
}

async function addStream(pool: TestDatabase['pool'], id: number, address: string): Promise<void> {
  const cleaned = cleanAddress(address);
  if ('refused' in cleaned) throw new Error(cleaned.refused);
  await pool.query(
    `INSERT INTO streams (id, station_id, address, address_key, format, bitrate, reliability, playlist)
     VALUES ($1, $2, $3, $4, 'mp3', 128, 90, $5)`,
    [id, Math.floor(id / 10), address, addressKey(cleaned.key), address.endsWith('.m3u') ? 'm3u' : null],
  );
}
