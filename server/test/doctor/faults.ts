import { tmpdir } from 'node:os';
import type { Environment } from '../../src/app/config.ts';
import type { CheckContext } from '../../src/cli/doctor/check.ts';
import type { Machine } from '../../src/cli/doctor/machine.ts';
import { createPool } from '../../src/storage/db/pool.ts';
import type { Install } from './healthy-install.ts';
import { ManualClock } from '../time/manual-clock.ts';

/** What is different from the healthy install while the doctor looks at it. */
export interface Planted {
  settings?: Environment;
  machine?: Partial<Machine>;
  more?: Partial<CheckContext>;
  undo?: () => Promise<unknown>;
}

export interface Fault {
  fault: string;
  plant: (install: Install) => Planted | Promise<Planted>;
  /** `Group/line` that names it, and what it says to do. */
  line: string;
  says: RegExp;
  mend: RegExp;
  /** Lines that are not well for the same reason. */
  also?: readonly string[];
}

/** A statement that breaks something, and the one that mends it. */
const bySql =
  (breaks: string, mends: string) =>
  async ({ pool }: Install): Promise<Planted> => {
    await pool.query(breaks);
    return { undo: () => pool.query(mends) };
  };

/** Connections of their own, for what holds for new ones only or leads elsewhere. */
function withPool(databaseUrl: string): Planted {
  const pool = createPool({ databaseUrl, size: 9, applicationName: 'test', connectTimeoutMs: 2000 });
  return { settings: { DATABASE_URL: databaseUrl }, more: { pool }, undo: () => pool.end() };
}

const atPort = async (install: Install, answer: Parameters<Install['serve']>[0]): Promise<Planted> => ({
  machine: { radioPort: await install.serve(answer) },
});
const clockAt = (time: string): Planted => ({ more: { clock: new ManualClock(time) } });
const inHours = (hours: number): string => Temporal.Now.instant().add({ hours }).toString();

const WAY = 'Way of a radio';
export const FAULTS: readonly Fault[] = [
  {
    fault: 'the name leads to the original directory',
    plant: () => ({ machine: { resolve: () => Promise.resolve(['203.0.113.5']) } }),
    line: `${WAY}/name`,
    says: /opml\.radiotime\.com leads to 203\.0\.113\.5, which is not this machine/,
    mend: /lead the name to this machine in your resolver, or start longwave dns/,
  },
  {
    fault: 'the name leads here by IPv4 and away by IPv6',
    plant: () => ({ machine: { resolve: () => Promise.resolve(['192.168.7.20', '2001:db8::5']) } }),
    line: `${WAY}/name`,
    says: /leads to 2001:db8::5/,
    mend: /longwave dns/,
  },
  {
    fault: 'no resolver answers',
    plant: () => ({ machine: { resolve: () => Promise.reject(new Error('EAI_AGAIN')) } }),
    line: `${WAY}/name`,
    says: /cannot be resolved/,
    mend: /longwave dns/,
  },
  {
    fault: 'longwave dns is set up and does not run',
    plant: (install) => ({ settings: { DNS_UPSTREAM: '192.168.7.1', DNS_PORT: `${install.closed}` } }),
    line: `${WAY}/longwave dns`,
    says: /is set up, and nothing answers/,
    mend: /^longwave dns$/,
  },
  {
    fault: 'another program has port 80',
    plant: (install) => atPort(install, (_request, response) => void response.end('<html>It works!</html>')),
    line: `${WAY}/port`,
    says: /answered by something else than Longwave/,
    mend: /stop that program and set HTTP_PORT=80, or have it pass calls of radios on to port \d+/,
  },
  {
    fault: 'nothing listens on port 80',
    plant: (install) => ({ machine: { radioPort: install.closed } }),
    line: `${WAY}/port`,
    says: /nothing answers at http:\/\/127\.0\.0\.1:\d+, where radios ask/,
    mend: /set HTTP_PORT=80, or forward port 80 to port \d+/,
  },
  {
    fault: 'a proxy redirects to HTTPS',
    plant: (install) =>
      atPort(install, ({ url, headers }, response) =>
        response.writeHead(301, { location: `https://${headers.host}${url}` }).end(),
      ),
    line: `${WAY}/port`,
    says: /redirects, probably to HTTPS, and radios follow no redirect/,
    mend: /have your proxy pass plain HTTP on to port \d+ without a redirect/,
  },
  {
    fault: 'a public host has no DNS record',
    plant: () => ({
      settings: { PUBLIC_HOSTS: 'radio.example.org' },
      machine: { resolve: () => Promise.reject(new Error('ENOTFOUND')) },
    }),
    line: `${WAY}/host`,
    says: /radio\.example\.org cannot be resolved/,
    mend: /add its DNS record, or correct PUBLIC_HOSTS/,
  },
  {
    fault: 'a public host is not reached',
    plant: (install) => ({ settings: { PUBLIC_HOSTS: `127.0.0.1:${install.closed}` } }),
    line: `${WAY}/host`,
    says: /nothing answers at http:\/\/127\.0\.0\.1:\d+$/,
    mend: /open its port in the firewall and the router/,
  },
  {
    fault: 'the clock begins in 1970',
    plant: () => clockAt('1970-01-01T00:05:00Z'),
    line: 'Machine/clock',
    says: /it says 1970-01-01, before this version was installed/,
    mend: /timedatectl set-ntp true/,
  },
  {
    fault: 'the clock is two hours ahead',
    plant: () => clockAt(inHours(2)),
    line: 'Machine/clock',
    says: /differs from PostgreSQL's by 2 hours|differs from PostgreSQL's by 1\d\d minutes/,
    mend: /on both machines/,
  },
  {
    fault: 'the clock was set back after the database was written',
    plant: bySql(
      "UPDATE import_runs SET finished_at = now() + interval '5 days', started_at = now() + interval '5 days'",
      'UPDATE import_runs SET finished_at = now(), started_at = now()',
    ),
    line: 'Machine/clock',
    says: /it is 5 days behind what the database was written at/,
    mend: /set the clock/,
  },
  {
    fault: 'too few open files',
    plant: () => ({ machine: { openFiles: () => 1024 } }),
    line: 'Machine/open files',
    says: /a process may have 1,024, and MAX_CONNECTIONS is 10,000/,
    mend: /LimitNOFILE=10210.*or lower MAX_CONNECTIONS/,
  },
  {
    fault: 'a small limit of memory',
    plant: () => ({ machine: { memoryBytes: () => 256 * 2 ** 20 } }),
    line: 'Machine/memory',
    says: /268 MB for this process/,
    mend: /MemoryMax.*MENU_CACHE_MB/,
  },
  {
    fault: 'everybody may read the key of the certificate',
    plant: (install) => ({ settings: install.certificate(60, 0o644) }),
    line: 'Machine/key file',
    says: /key\.pem can be read by every user of this machine \(mode 644\)/,
    mend: /^chmod 640 .*key\.pem/,
  },
  {
    fault: 'the certificate is expired',
    plant: (install) => ({ settings: install.certificate(-1, 0o600) }),
    line: 'Settings/certificate',
    says: /^expired/,
    mend: /^renew it/,
  },
  {
    fault: 'a setting with a wrong value',
    plant: () => ({ settings: { PROBE_CONCURRENCY: 'many' } }),
    line: 'Settings/readable',
    says: /PROBE_CONCURRENCY is 'many'/,
    mend: /correct it in the environment/,
  },
  {
    fault: 'a setting with a wrong name',
    plant: () => ({ settings: { PUBLIC_HOST: 'radio.example' } }),
    line: 'Settings/names',
    says: /PUBLIC_HOST is not a setting and has no effect; PUBLIC_HOSTS is one/,
    mend: /rename PUBLIC_HOST to PUBLIC_HOSTS/,
  },
  {
    fault: 'a home that is nowhere',
    plant: () => ({ settings: { HOME_PLACE: 'Nowhere, Noland' } }),
    line: 'Where callers are/home',
    says: /'Nowhere, Noland' is unknown/,
    mend: /longwave import places/,
  },
  {
    fault: 'the key is lost',
    plant: () => ({ settings: { MEMBER_KEY: undefined } }),
    line: 'Accounts/key',
    says: /MEMBER_KEY is not set, and this database has accounts/,
    mend: /set the MEMBER_KEY that belongs to this database/,
  },
  {
    fault: 'the key is another one',
    plant: () => ({ settings: { MEMBER_KEY: 'another key of more than thirty-two characters' } }),
    line: 'Accounts/key',
    says: /not the key this database was used with/,
    mend: /set the key that belongs to it/i,
  },
  {
    fault: 'the mail server is away',
    plant: (install) => ({
      settings: { MAIL_URL: `smtp://127.0.0.1:${install.closed}`, MAIL_FROM: 'radio@mail.example' },
    }),
    line: 'Accounts/mail',
    says: /no mail can be sent through/,
    mend: /correct MAIL_URL/,
  },
  {
    fault: 'PostgreSQL is away',
    plant: (install) => withPool(`postgres://me@127.0.0.1:${install.closed}/longwave`),
    line: 'PostgreSQL/answers',
    says: /nothing listens there/,
    mend: /start PostgreSQL, or correct DATABASE_URL/,
  },
  {
    fault: 'PostgreSQL is read-only',
    plant: async (install) => {
      const name = new URL(install.databaseUrl).pathname.slice(1);
      await install.pool.query(`ALTER DATABASE "${name}" SET default_transaction_read_only = on`);
      const planted = withPool(install.databaseUrl);
      const undo = async (): Promise<void> => {
        await planted.undo?.();
        await install.pool.query(`BEGIN READ WRITE; ALTER DATABASE "${name}" RESET ALL; COMMIT`);
      };
      return { ...planted, undo };
    },
    line: 'PostgreSQL/writable',
    says: /it is read-only: menus are answered, nothing can be saved/,
    mend: /RESET default_transaction_read_only/,
  },
  {
    fault: 'the disk is full',
    plant: () => ({
      machine: { freeBytes: (folder) => Promise.resolve(folder === tmpdir() ? 5e6 : 1e11) },
    }),
    line: 'Machine/disk',
    says: /5 MB free in \//,
    mend: /free some space there, or set TMPDIR/,
  },
  {
    fault: 'the schema is an old one',
    plant: bySql(
      'CREATE TABLE put_aside AS SELECT * FROM migrations ORDER BY name DESC LIMIT 1; DELETE FROM migrations USING put_aside WHERE migrations.name = put_aside.name',
      'INSERT INTO migrations SELECT * FROM put_aside; DROP TABLE put_aside',
    ),
    line: 'PostgreSQL/schema',
    says: /\.sql missing, so no server can start/,
    mend: /^longwave migrate$/,
  },
  {
    fault: 'the schema is a newer one',
    plant: bySql(
      "INSERT INTO migrations (name, checksum) VALUES ('9999_later.sql', 'x')",
      "DELETE FROM migrations WHERE name = '9999_later.sql'",
    ),
    line: 'PostgreSQL/schema',
    says: /9999_later\.sql belongs to a newer version/,
    mend: /update this checkout/,
  },
  {
    fault: 'Redis is away',
    plant: (install) => ({ settings: { REDIS_URL: `redis://127.0.0.1:${install.closed}` } }),
    line: 'Redis/answers',
    says: /nothing listens there/,
    mend: /start Redis, correct REDIS_URL/,
  },
  {
    fault: 'no places',
    plant: bySql(
      'CREATE TABLE put_aside AS TABLE cities; DELETE FROM cities',
      'INSERT INTO cities SELECT * FROM put_aside; DROP TABLE put_aside',
    ),
    line: 'Directory/places',
    says: /none: no station can be imported/,
    mend: /^longwave import places$/,
    also: ['Where callers are/home'],
  },
  {
    fault: 'an empty catalogue',
    plant: bySql('UPDATE stations SET listed = false', 'UPDATE stations SET listed = true'),
    line: 'Directory/stations',
    says: /none: every menu is empty/,
    mend: /^longwave import stations https:/,
  },
  {
    fault: 'the last import is old',
    plant: bySql(
      "UPDATE import_runs SET started_at = now() - interval '90 days', finished_at = now() - interval '90 days'",
      'UPDATE import_runs SET started_at = now(), finished_at = now()',
    ),
    line: 'Directory/import',
    says: /a list, 90 days ago/,
    mend: /to update: longwave import stations/,
  },
  {
    fault: 'the worker is dead',
    plant: async (install) => {
      await install.stopWorker();
      return { undo: () => install.startWorker() };
    },
    line: 'Work/worker',
    says: /none is running/,
    mend: /^longwave work$/,
  },
  {
    fault: 'the worker does not keep up',
    plant: bySql(
      "UPDATE stream_checks SET next_due_at = now() - interval '9 hours'",
      "UPDATE stream_checks SET next_due_at = now() + interval '7 days'",
    ),
    line: 'Work/streams',
    says: /1 overdue, by up to 9 hours/,
    mend: /PROBE_CONCURRENCY/,
  },
  {
    fault: 'hardly a stream plays',
    plant: bySql("UPDATE stream_checks SET verdict = 'dead'", "UPDATE stream_checks SET verdict = 'plays'"),
    line: 'Streams/health',
    says: /0 % of 1 play/,
    mend: /longwave probe s1/,
  },
  {
    fault: 'all partners are disabled',
    plant: bySql("UPDATE partners SET state = 'disabled'", "UPDATE partners SET state = 'active'"),
    line: 'Partners/active',
    says: /none: menus are answered, presets and accounts are refused/,
    mend: /longwave partner enable ID/,
  },
  {
    fault: 'the site is not built',
    plant: () => ({ more: { siteFolder: '/no/such/folder' } }),
    line: 'Site/pages',
    says: /not built/,
    mend: /^npm run build$/,
  },
  {
    fault: 'the server does not run',
    plant: (install) => ({ settings: { HTTP_PORT: `${install.closed}` } }),
    line: 'Proof/server',
    says: /nothing answers at/,
    mend: /start it with longwave serve/,
  },
];
