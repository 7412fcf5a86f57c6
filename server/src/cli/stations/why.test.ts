import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type TestDatabase, seededDatabase } from '../../../test/database/database.ts';
import { type Ran, runLongwave } from '../../../test/processes/run-longwave.ts';

let database: TestDatabase;
before(async () => {
  database = await seededDatabase();
  const { pool } = database;
  const steps = [{ what: 'answer', ms: 31, status: 404, detail: 'the server does not have it' }];
  await pool.query(
    `INSERT INTO stream_checks (stream_id, host, next_due_at, checked_at, verdict, standing, standing_at, codec, steps)
     VALUES (1, 'h', now(), '2026-01-09T11:00:00Z', 'dead', 10, now(), 'MPEG 1 Layer 3', $1)`,
    [JSON.stringify(steps)],
  );
  // Yesterday, so that a midnight on the way moves the days and not whether there are any.
  await pool.query(
    `INSERT INTO stream_checks (stream_id, host, next_due_at, verdict, standing, standing_at, health, health_day, failed_at,
       failure)
     VALUES (3, 'h', now(), 'plays', 90, now(), b'01001110'::bigint, (now() AT TIME ZONE 'UTC')::date - 1,
       '2026-01-09T11:00:00Z', E'nobody\\x1b[2J answers')`,
  );
});
after(() => database[Symbol.asyncDispose]());

const why = (...args: string[]): Ran => runLongwave(['why', ...args], { DATABASE_URL: database.url });

test('a station’s streams are told in the order a device is given them, each with its reason and its check', () => {
  const { stdout, stderr, status } = why('s1', '--device', 'SoundTouch');
  assert.equal(status, 0, stderr);
  assert.match(stdout, /^s1 Harbour Folk\n\ndevice +soundtouch \(confirmed\): Bose SoundTouch/);
  assert.match(stdout, /^plays +mp3, aac, ogg, wma, flac\nTLS +perhaps: plain HTTP comes first$/m);
  assert.match(
    stdout,
    /^1\. {2}e2 \S+harbourfolk-64\.aac\n {4}64 kbps AAC, never probed, reliability \d+\n {4}suits the device best$/m,
  );
  assert.match(
    stdout,
    new RegExp(
      String.raw`^2\.  e1 \S+harbourfolk-128\.mp3\n    128 kbps MP3 \(MPEG 1 Layer 3\), dead, reliability 10, checked 2026-01-09T11:00:00Z\n` +
        String.raw`    comes after all that play, since nothing was heard at the last check\n      answer 31 ms 404: the server does not have it$`,
      'm',
    ),
  );
});

test('the last thirty days are a row of marks with a key, and the last failure has its reason', () => {
  const { stdout } = why('s2');
  const [, marks] = /^ {4}days ([-+~.]+)$/m.exec(stdout) ?? [];
  assert.equal(marks?.length, 30);
  assert.match(marks ?? '', /^\.+\+\.~-\.{1,2}$/);
  assert.match(stdout, /^ {4}last silent 2026-01-09T11:00:00Z: nobody\[2J answers$/m);
  assert.match(stdout, /\n\ndays: \+ heard, ~ heard and silent, - silent, \. not known; the last is today/);
  assert.doesNotMatch(why('s1').stdout, /days/, 'nor a key where there is nothing to read by it');
});

test('what is held back says by what', () => {
  const { stdout } = why('s1', '--formats', 'aac');
  assert.match(stdout, /^- {3}e1 [^]*left out \(format\): the device does not play this format/m);
});

test('a station or streams that are not listed are not told as given', async () => {
  const { pool } = database;
  await pool.query('UPDATE stations SET listed = false WHERE id = 1');
  const { stdout } = why('s1');
  await pool.query('UPDATE stations SET listed = true WHERE id = 1');
  assert.match(
    stdout,
    /^It is not listed: a player gets the announcement that there is nothing to hear\b[^]*^1\. {2}e2 /m,
  );
  assert.doesNotMatch(why('s1').stdout, /not listed/);
  await pool.query('UPDATE streams SET listed = false WHERE station_id = 1');
  const silent = why('s1').stdout;
  await pool.query('UPDATE streams SET listed = true WHERE station_id = 1');
  assert.match(
    silent,
    /^It has no listed stream: a player gets the announcement that there is nothing to hear\.$/m,
  );
});

test('what cannot be answered is told', () => {
  const toaster = why('s1', '--device', 'toaster');
  assert.equal(toaster.status, 2);
  assert.match(toaster.stderr, /--device: 'toaster' is not a device; choose one of control4, esp32,/);
  assert.match(why().stderr, /give the station: why s123/);
  assert.match(why('s1', 's2').stderr, /'s2' is unexpected/);
  const gone = why('s999999');
  assert.deepEqual([gone.status, /there is no station s999999/.test(gone.stderr)], [1, true]);
});
