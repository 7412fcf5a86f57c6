import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Certificate {
  key: string;
  cert: string;
}

export interface Authority {
  /** Its own certificate, as PEM. */
  ca: string;
  /** For names as certificates write them (`DNS:radio.example.net`), valid for so many days from now; a negative number has ended. */
  issue(names: string, days?: number): Certificate;
}

const KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];

/** An authority that nobody trusts but who is told to. */
export function makeAuthority(): Authority {
  const { key, cert: ca } = inFolder((run) =>
    run([
      'req',
      '-x509',
      ...KEY,
      '-subj',
      '/CN=An authority',
      '-days',
      '2',
      '-keyout',
      'key',
      '-out',
      'cert',
    ]),
  );
  const issue = (names: string, days = 2): Certificate =>
    inFolder((run, folder) => {
      for (const [name, text] of Object.entries({ ca, caKey: key, names: `subjectAltName=${names}` }))
        writeFileSync(join(folder, name), text);
      run(['req', '-new', ...KEY, '-subj', '/CN=A server', '-keyout', 'key', '-out', 'asked']);
      const by = ['-CA', 'ca', '-CAkey', 'caKey', '-extfile', 'names'];
      run(['x509', '-req', '-in', 'asked', ...by, '-days', `${days}`, '-out', 'cert']);
    });
  return { ca, issue };
}

/** Signed by nobody but itself. */
export const makeSelfSigned = (names: string): Certificate =>
  inFolder((run) =>
    run([
      'req',
      '-x509',
      ...KEY,
      '-subj',
      '/CN=A server',
      '-addext',
      `subjectAltName=${names}`,
      '-keyout',
      'key',
      '-out',
      'cert',
    ]),
  );

/** Such a one for 127.0.0.1, in files that a service is told of by its settings. */
export function writeCertificate(folder: string): { TLS_CERT_FILE: string; TLS_KEY_FILE: string } {
  const files = { TLS_CERT_FILE: join(folder, 'cert.pem'), TLS_KEY_FILE: join(folder, 'key.pem') };
  const { key, cert } = makeSelfSigned('IP:127.0.0.1');
  writeFileSync(files.TLS_KEY_FILE, key, { mode: 0o600 });
  writeFileSync(files.TLS_CERT_FILE, cert);
  return files;
}

function inFolder(work: (run: (args: string[]) => void, folder: string) => void): Certificate {
  const folder = mkdtempSync(join(tmpdir(), 'longwave-certificates-'));
  try {
    work((args) => void execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' }), folder);
    return {
      key: readFileSync(join(folder, 'key'), 'utf8'),
      cert: readFileSync(join(folder, 'cert'), 'utf8'),
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
