import { appendFileSync, chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { unprivilegedAccount } from '../../../../scripts/services/folder.ts';
import { postgresService } from '../../../../scripts/services/postgres.ts';
import { memberKeys } from '../../../src/core/accounts/keys.ts';
import { onServer, poolOf } from '../../database/database-server.ts';
import { fillPrivate } from '../../database/fill-private.ts';
import type { Forgotten } from '../../power/forgetful-disk.ts';
import { checkPrograms, makeGuestFiles } from '../../power/guest-files.ts';
import { GUEST_GATEWAY } from '../../power/guest-network.ts';
import { PowerGuest } from '../../power/power-guest.ts';
import { type ServiceProcess, startService } from '../../processes/service-process.ts';
import { type Ledger, readLedger } from './preset-ledger.ts';
import { PARTNER, Writers } from './preset-writers.ts';

const STATIONS = 40;
const MEMBER_KEY = 'a key for drills, which protects nobody';
/** An emulated machine takes minutes for what others do in seconds. */
const HEALED_MS = 300_000;
/** Before each cut, beside those of the time that is drawn. */
const MIN_SAVES = 20;

/** Small, and with a checkpoint every half a minute, so that some cuts fall into one. */
const SETTINGS: Readonly<Record<string, string>> = {
  shared_buffers: '32MB',
  max_connections: '60',
  jit: 'off',
  unix_socket_directories: '',
  checkpoint_timeout: '30s',
  min_wal_size: '32MB',
  max_wal_size: '64MB',
};

/** What is not as it is meant to be. */
export interface PowerOptions {
  settings?: Readonly<Record<string, string>>;
  isDiskLying?: boolean;
}

/** The service on this machine, its database on another one that loses power, and who saves. */
export class PowerBench implements AsyncDisposable {
  readonly writers: Writers;
  readonly #guest: PowerGuest;
  readonly #url: string;
  readonly #stack: AsyncDisposableStack;

  private constructor(
    stack: AsyncDisposableStack,
    guest: PowerGuest,
    service: ServiceProcess,
    url: string,
    stations: readonly string[],
  ) {
    this.#stack = stack;
    this.#guest = guest;
    this.#url = url;
    this.writers = new Writers(() => service.origin, stations);
  }

  static async open({ settings = {}, isDiskLying = false }: PowerOptions = {}): Promise<PowerBench> {
    checkPrograms();
    await using opened = new AsyncDisposableStack();
    // Not in TMPDIR: the account that PostgreSQL runs as must be able to walk there.
    const folder = mkdtempSync('/var/tmp/longwave-power-');
    opened.defer(() => rmSync(folder, { recursive: true, force: true }));
    chmodSync(folder, 0o755);
    const account = unprivilegedAccount() ?? { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
    const data = join(folder, 'data');
    mkdirSync(data);
    chownSync(data, account.uid, account.gid);
    const { url, stations } = await fill(data, { ...SETTINGS, ...settings });
    const files = makeGuestFiles(folder, account);
    const guest = opened.use(await PowerGuest.make({ folder, files, data, url, isLying: isDiskLying }));
    await guest.boot();
    const service = opened.use(await startService(url, { MEMBER_KEY }));
    return new PowerBench(opened.move(), guest, service, url, stations);
  }

  /** The power goes while presets are saved, after that time and so many writes to the disk. The machine stays off. */
  async cutAfter(ms: number, hadArrived: () => boolean, writes = 0): Promise<Forgotten> {
    let forgotten: Forgotten = { kept: 0, lost: 0 };
    await this.writers.during(async () => {
      await this.writers.healed(HEALED_MS, MIN_SAVES);
      await sleep(ms);
      forgotten = await this.#guest.cutPower(hadArrived, writes);
    });
    return forgotten;
  }

  /** The service finds its way back alone. */
  boot(): Promise<void> {
    return this.#guest.boot();
  }

  async ledger(): Promise<Ledger> {
    const pool = poolOf(this.#url, 1);
    try {
      return await readLedger(pool, memberKeys(MEMBER_KEY), this.writers.told.values());
    } finally {
      await pool.end();
    }
  }

  /**
   * What is broken in these tables and their indexes, or in all; each page is read, and its checksum verified. That every row of a
   * table is in its indexes is looked at in those that are named.
   */
  brokenPages(tables?: readonly string[]): Promise<string[]> {
    return onServer(async (client) => {
      const { rows } = await client.query<{ what: string }>(TABLES, [tables]);
      // Fails at the first one that is wrong.
      await client.query(INDEXES, [tables]);
      return rows.map(({ what }) => what);
    }, asSuperuser(this.#url));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#stack.disposeAsync();
  }
}

const TABLES = `SELECT relname || ': ' || msg AS what FROM pg_class CROSS JOIN LATERAL verify_heapam(pg_class.oid)
  WHERE relkind IN ('r', 't', 'm') AND relpersistence = 'p' AND ($1::text[] IS NULL OR relname = ANY ($1))`;
const INDEXES = `SELECT bt_index_check(indexes.oid, $1::text[] IS NOT NULL) FROM pg_class AS indexes
  JOIN pg_am ON pg_am.oid = relam JOIN pg_index ON indexrelid = indexes.oid
  WHERE relkind = 'i' AND amname = 'btree' AND relpersistence = 'p' AND indisvalid
    AND ($1::text[] IS NULL OR indrelid = ANY ($1::regclass[]))`;

/** A directory with a partner, made here, where it takes seconds, to be copied to the guest. */
async function fill(
  data: string,
  settings: Readonly<Record<string, string>>,
): Promise<{ url: string; stations: string[] }> {
  const postgres = postgresService(data);
  const { url } = await postgres.up();
  try {
    const stations = (await fillPrivate(url, PARTNER)).slice(0, STATIONS);
    await onServer((client) => client.query('CREATE EXTENSION amcheck'), asSuperuser(url));
    return { url, stations };
  } finally {
    await postgres.down();
    const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value}'\n`);
    appendFileSync(join(data, 'postgres/postgresql.conf'), lines.join(''));
    appendFileSync(join(data, 'postgres/pg_hba.conf'), `host all all ${GUEST_GATEWAY}/32 scram-sha-256\n`);
  }
}

function asSuperuser(url: string): string {
  const superuser = new URL(url);
  superuser.username = 'postgres';
  return superuser.href;
}
