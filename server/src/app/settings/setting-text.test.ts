import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileOfSecret, readConfig, SETTINGS } from '../config.ts';

const folder = mkdtempSync(join(tmpdir(), 'longwave-secrets-'));
after(() => rmSync(folder, { recursive: true }));

const KEY = 'CANARY-of-a-member-key-that-is-long-enough';

function secretFile(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

test('every secret may be in a file, and its last line break is not part of it', () => {
  const config = readConfig({
    DATABASE_URL_FILE: secretFile('database', 'postgres://ann:CANARY@db/longwave\n'),
    DATABASE_READ_URL_FILE: secretFile('replicas', 'postgres://ann:CANARY@replicas/longwave\n'),
    REDIS_URL_FILE: secretFile('redis', 'redis://:CANARY@cache\r\n'),
    MEMBER_KEY_FILE: secretFile('key', ` ${KEY} \n\n`),
    MEMBER_KEY_OLD_FILE: secretFile('old-key', `${KEY}-old\n`),
    RELAY_KEY_FILE: secretFile('relay-key', `${KEY}-relay\n`),
    RELAY_KEY_OLD_FILE: secretFile('old-relay-key', `${KEY}-old-relay\n`),
    EDGE_KEY_FILE: secretFile('edge-key', `${KEY}-edge\n`),
    TRACES_URL_FILE: secretFile('traces', 'https://ann:CANARY@traces.example/v1/traces\n'),
    MAIL_URL_FILE: secretFile('mail', 'smtps://ann:CANARY@mail'),
    MAIL_FROM: 'radio@example.org',
    STATION_SOURCES_FILE: secretFile('sources', 'a=https://a.example/a.csv?key=CANARY\nb=/lists/b.csv\n'),
  });
  assert.equal(config.databaseUrl, 'postgres://ann:CANARY@db/longwave');
  assert.equal(config.databaseReadUrl, 'postgres://ann:CANARY@replicas/longwave');
  assert.equal(config.redisUrl, 'redis://:CANARY@cache');
  assert.equal(config.memberKey, KEY);
  assert.equal(config.memberKeyOld, `${KEY}-old`);
  assert.equal(config.relayKey, `${KEY}-relay`);
  assert.equal(config.relayKeyOld, `${KEY}-old-relay`);
  assert.equal(config.edgeKey, `${KEY}-edge`);
  assert.equal(config.tracesUrl, 'https://ann:CANARY@traces.example/v1/traces');
  assert.equal(config.mailUrl, 'smtps://ann:CANARY@mail');
  assert.deepEqual(
    config.stationSources.map(({ name }) => name),
    ['a', 'b'],
  );
  const secrets = Object.values(SETTINGS).filter(({ secret }) => secret);
  assert.equal(secrets.length, 11, 'a new secret needs its line above');
});

test('an empty name of a file is no file, and only secrets are read from files', () => {
  assert.equal(readConfig({ MEMBER_KEY_FILE: ' ', MEMBER_KEY: KEY }).memberKey, KEY);
  assert.equal(readConfig({ HTTP_PORT_FILE: secretFile('port', '80') }).httpPort, 8700);
});

const long = 'CANARY'.repeat(20_000);
const wrong: [what: string, settings: Record<string, string>, told: RegExp][] = [
  ['both', { MEMBER_KEY: KEY, MEMBER_KEY_FILE: secretFile('both', KEY) }, /both set; leave one of them out/],
  ['no such file', { MEMBER_KEY_FILE: join(folder, 'none') }, /_FILE is '.*\/none', .* no such file/],
  ['a folder', { MEMBER_KEY_FILE: folder }, /cannot be read: it is a folder/],
  ['an empty file', { MEMBER_KEY_FILE: secretFile('empty', '\n') }, /which is empty; write the value/],
  [
    'two lines',
    { MEMBER_KEY_FILE: secretFile('lines', `${KEY}\n${KEY}\n`) },
    /MEMBER_KEY is malformed; .* on one line/,
  ],
  ['a long file', { MEMBER_KEY_FILE: secretFile('long', long) }, /longer than 65536 bytes/],
  ['an endless file', { MEMBER_KEY_FILE: '/dev/zero' }, /longer than 65536 bytes/],
  [
    'the secret in place of its path',
    { MEMBER_KEY_FILE: KEY },
    /must be the path of a file from the root on/,
  ],
  ['a short one', { MEMBER_KEY_FILE: secretFile('short', 'CANARY') }, /MEMBER_KEY is malformed; .* at least/],
  [
    'an address over two lines',
    { REDIS_URL_FILE: secretFile('folded', 'redis://:CANARY\n@cache') },
    /REDIS_URL is malformed/,
  ],
  [
    'another scheme',
    { DATABASE_URL_FILE: secretFile('scheme', 'mysql://CANARY') },
    /DATABASE_URL is malform/,
  ],
];
for (const [what, settings, told] of wrong) {
  test(`${what} is refused, without its content`, () => {
    assert.throws(
      () => readConfig(settings),
      ({ message }: Error) => told.test(message) && !message.includes('CANARY'),
    );
  });
}

test('the file of a secret is told by the name of the setting', () => {
  const variables = { MEMBER_KEY_FILE: '/run/secrets/key', TLS_KEY_FILE: '/etc/key.pem' };
  assert.equal(fileOfSecret('MEMBER_KEY', variables), '/run/secrets/key');
  for (const name of ['TLS_KEY', 'DATABASE_URL']) assert.equal(fileOfSecret(name, variables), undefined);
});
