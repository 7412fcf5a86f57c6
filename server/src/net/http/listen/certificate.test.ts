import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { makeSelfSigned } from '../../../../test/servers/certificates.ts';
import { createLog } from '../../../lib/log.ts';
import { renewCertificate } from './certificate.ts';

const MINUTE_MS = 60_000;
const { cert, key } = makeSelfSigned('DNS:radio.test');

interface Watched {
  folder: string;
  certFile: string;
  /** What was said of it, without the rest of the line. */
  said: string[];
  used: () => number;
  passMinute: () => void;
}

/** A certificate in a folder of its own, looked at every minute by a clock that the test moves. */
function watched(t: TestContext): Watched {
  const parent = mkdtempSync(join(tmpdir(), 'longwave-certificate-'));
  const folder = join(parent, 'live');
  mkdirSync(folder);
  const files = { certFile: join(folder, 'cert.pem'), keyFile: join(folder, 'key.pem') };
  writeFileSync(files.certFile, cert);
  writeFileSync(files.keyFile, key);
  const said: string[] = [];
  const write = (line: string): void => void said.push(/could not be|was reloaded/.exec(line)?.[0] ?? line);
  let used = 0;
  t.mock.timers.enable({ apis: ['setInterval'] });
  const renewal = renewCertificate(
    { setSecureContext: () => void (used += 1) },
    files,
    createLog({ level: 'info', sink: { write } }),
    () => undefined,
  );
  t.after(() => {
    renewal[Symbol.dispose]();
    rmSync(parent, { recursive: true });
  });
  return {
    folder,
    certFile: files.certFile,
    said,
    used: () => used,
    passMinute: () => t.mock.timers.tick(MINUTE_MS),
  };
}

test('a folder that cannot be read for a while is told once, and the certificate stays in use', (t) => {
  const { folder, said, used, passMinute } = watched(t);
  passMinute();
  assert.deepEqual(said, []);
  // Root may read everything, but not follow a circle.
  renameSync(folder, `${folder}-away`);
  symlinkSync(folder, folder);
  for (let minute = 0; minute < 3; minute += 1) passMinute();
  assert.deepEqual([said, used()], [['could not be'], 0]);
  rmSync(folder);
  renameSync(`${folder}-away`, folder);
  for (let minute = 0; minute < 3; minute += 1) passMinute();
  assert.deepEqual([said, used()], [['could not be', 'was reloaded'], 1]);
});

test('a renewed one that cannot be read is tried again, also where its times do not change', (t) => {
  const { certFile, said, used, passMinute } = watched(t);
  const renewedAt = new Date('2026-01-01T00:00:00Z');
  writeFileSync(certFile, 'half of it');
  utimesSync(certFile, renewedAt, renewedAt);
  for (let minute = 0; minute < 3; minute += 1) passMinute();
  assert.deepEqual([said, used()], [['could not be'], 0]);
  writeFileSync(certFile, cert);
  utimesSync(certFile, renewedAt, renewedAt);
  for (let minute = 0; minute < 3; minute += 1) passMinute();
  assert.deepEqual([said, used()], [['could not be', 'was reloaded'], 1]);
});
