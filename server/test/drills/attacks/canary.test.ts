import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { after, before, test } from 'node:test';
import Fastify from 'fastify';
import { addStationKey } from '../../../src/storage/catalog/stations/station-keys.ts';
import { createPool } from '../../../src/storage/db/pool.ts';
import { fillPrivate } from '../../database/fill-private.ts';
import { waitUntil } from '../../../../scripts/services/service.ts';
import { type PrivatePostgres, startPrivatePostgres } from '../../database/private-postgres.ts';
import {
  type CanaryRequest,
  PARTNER,
  accountLife,
  everywhere,
  rush,
  studioCalls,
} from './canary-requests.ts';
import { CanarySecrets } from './canary-secrets.ts';
import { type CanaryService, startCanaryService } from './canary-service.ts';

const secrets = new CanarySecrets();
let postgres: PrivatePostgres;
let canary: CanaryService;
let stationKey: string;

before(async () => {
  postgres = await startPrivatePostgres();
  await fillPrivate(postgres.url, PARTNER);
  const pool = createPool({ databaseUrl: postgres.url, size: 1, applicationName: 'canary' });
  stationKey = secrets.keep('stationKey', (await addStationKey(pool, 1, 'studio')) ?? assert.fail());
  await pool.end();
  canary = await startCanaryService(postgres.url, secrets.password());
});
after(async () => {
  await canary[Symbol.asyncDispose]();
  await postgres[Symbol.asyncDispose]();
});

const wholeSong = (): CanaryRequest[] => [
  ...accountLife(secrets),
  ...everywhere(secrets),
  ...studioCalls(secrets, stationKey),
];

/** What somebody else asks, who gave no secrets. */
const BYSTANDER: readonly CanaryRequest[] = [
  { target: '/Browse.ashx' },
  { target: `/Browse.ashx?c=presets&partnerId=${PARTNER}&serial=bystander` },
  { target: `/Browse.ashx?c=presets&partnerId=${PARTNER}&username=bystander` },
  { target: `/Preset.ashx?c=listFolders&partnerId=${PARTNER}&serial=bystander` },
  { target: `/Preset.ashx?c=add&partnerId=${PARTNER}` },
  { target: `/Account.ashx?c=auth&partnerId=${PARTNER}` },
  { target: `/Account.ashx?c=query&partnerId=${PARTNER}&serial=bystander` },
  { target: '/Nothing.ashx' },
];

/** Asks, and looks at each answer: a serial may stand in the links of the caller's own menu, and nothing else anywhere. */
async function sing(requests: readonly CanaryRequest[]): Promise<Map<string, number>> {
  const seen = new Map<string, number>();
  for (const request of requests) {
    const { status, whole } = await canary.ask(request);
    const isMenu = status === 200 && /<status>200<|"status":"200"|^\[.*\]http:/s.test(whole);
    const kinds = isMenu ? ['password', 'email', 'stationKey'] : undefined;
    assert.deepEqual(
      secrets.hits(whole, kinds),
      [],
      `${request.method ?? 'GET'} ${request.target}: ${whole}`,
    );
    assert.doesNotMatch(whole, /Internal error/, `${request.method ?? 'GET'} ${request.target}`);
    const outcome = outcomeOf(whole) ?? `HTTP ${status}`;
    seen.set(outcome, (seen.get(outcome) ?? 0) + 1);
    keepCode(whole);
  }
  for (const request of BYSTANDER) assert.deepEqual(secrets.hits((await canary.ask(request)).whole), []);
  return seen;
}

const outcomeOf = (answer: string): string | undefined =>
  [/<fault_code>([^<]*)/, /"fault_code":"([^"]*)/, /<status>([^<]*)/, /"status":"([^"]*)/]
    .map((pattern) => pattern.exec(answer)?.[1])
    .find((found) => found !== undefined);

/** The code that joins a device is for the one who asked for it. */
function keepCode(answer: string): void {
  const code = /^.*Code (\w+): enter it/m.exec(answer)?.[1];
  if (code !== undefined) secrets.keep('code', code);
}

/** What was sent by mail is for the one who gets it. */
async function keepMailedPasswords(): Promise<number> {
  await waitUntil('a new password by mail', async () => mailedPasswords().length > 0);
  for (const password of mailedPasswords()) secrets.keep('password', password);
  return mailedPasswords().length;
}

const mailedPasswords = (): string[] =>
  canary.letters.flatMap((letter) => /your new password is (\w+)/.exec(letter)?.[1] ?? []);

test('no answer tells a secret, nor does the log of PostgreSQL as it is installed', async (t) => {
  const seen = await sing(wholeSong());
  t.diagnostic([...seen].map(([outcome, times]) => `${outcome} ${times}`).join(', '));
  for (const code of [
    'validation.userNameExists',
    'validation.emailExists',
    'request.insecure',
    'partner.required',
    'partner.keyInvalid',
  ])
    assert.ok(seen.has(code), `${code} was not reached`);
  const rushed = await Promise.all(rush(secrets).map((request) => canary.ask(request)));
  assert.ok(
    rushed.some(({ status }) => status === 503),
    'the hashing of passwords was never overloaded',
  );
  for (const { whole } of rushed) assert.deepEqual(secrets.hits(whole), []);
  assert.ok((await keepMailedPasswords()) > 0);
  assert.match(postgres.readLog(), /ready to accept connections/);
  assert.deepEqual(secrets.hits(postgres.readLog()), []);
});

test('nor when the database is away', async (t) => {
  await postgres.crash();
  const seen = await sing(wholeSong());
  await postgres.restart();
  t.diagnostic([...seen].map(([outcome, times]) => `${outcome} ${times}`).join(', '));
  assert.ok(seen.has('service.unavailable'));
  assert.deepEqual(secrets.hits(postgres.readLog()), []);
});

test('PostgreSQL never gets a password or a serial: told to log every statement, it writes the addresses of mails alone', async () => {
  await postgres.configure({ log_min_duration_statement: '0' });
  await postgres.crash();
  await postgres.restart();
  await sing(wholeSong());
  const log = postgres.readLog();
  assert.deepEqual(secrets.hits(log, ['password', 'serial', 'code', 'stationKey']), []);
  // An operator who turns this on sees addresses; it also shows that parameters were in this log at all.
  assert.ok(secrets.hits(log, ['email']).length > 0);
});

test('nor does the database hold one', () => {
  const others = ['cities', 'postal_codes', 'regions', 'search_*'].map(
    (table) => `--exclude-table-data=${table}`,
  );
  const dump = execFileSync('pg_dump', [...others, postgres.url], { encoding: 'utf8', maxBuffer: 1 << 28 });
  assert.deepEqual(secrets.hits(dump, ['password', 'serial', 'code', 'stationKey']), []);
  assert.ok(secrets.hits(dump, ['email']).length > 0, 'no account was made');
});

test('nor do the metrics and the log of the service, to its last line', async (t) => {
  const { service } = canary;
  const metrics = await fetch(`${service.privateOrigin}/metrics`);
  assert.deepEqual(secrets.hits(await metrics.text()), []);
  service.process.kill('SIGTERM');
  await once(service.process, 'close');
  t.diagnostic(`${service.log.length} lines`);
  assert.ok(
    service.log.some((line) => line.includes('a mail could not be sent')),
    'a letter that could not be sent was logged',
  );
  assert.ok(
    service.log.some((line) => line.includes('"level":"debug"')),
    'the log was talkative',
  );
  assert.deepEqual(secrets.hits(service.log.join('\n')), []);
});

test('the canary sings: a logger left at its defaults tells all four on the same requests', async (t) => {
  const lines: string[] = [];
  const careless = Fastify({ logger: { stream: { write: (line: string) => void lines.push(line) } } });
  for (const { target } of [...everywhere(secrets), ...studioCalls(secrets, stationKey)])
    await careless.inject(target.replace('%zz', ''));
  const hits = secrets.hits(lines.join('\n'));
  t.diagnostic(`${hits.length} secrets`);
  for (const kind of ['password', 'serial', 'email', 'stationKey'])
    assert.ok(
      hits.some((hit) => hit.startsWith(kind)),
      kind,
    );
});
