import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';

/** A self-signed certificate for the demo, made once. Clients must be told to trust it. */
export function ensureCertificate(folder: string): { TLS_CERT_FILE: string; TLS_KEY_FILE: string } {
  mkdirSync(folder, { recursive: true });
  const files = { TLS_CERT_FILE: join(folder, 'certificate.pem'), TLS_KEY_FILE: join(folder, 'key.pem') };
  if (existsSync(files.TLS_CERT_FILE)) return files;
  const names = `subjectAltName=DNS:localhost,DNS:${hostname()},IP:127.0.0.1`;
  const args = [
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:prime256v1',
    '-nodes',
    '-days',
    '365',
  ];
  const about = ['-subj', '/CN=Longwave demo', '-addext', names];
  const { status, stderr, error } = spawnSync(
    'openssl',
    [...args, ...about, '-keyout', files.TLS_KEY_FILE, '-out', files.TLS_CERT_FILE],
    { encoding: 'utf8' },
  );
  if (error)
    throw new Error('openssl is not installed; on Debian: apt-get install openssl', { cause: error });
  if (status !== 0) throw new Error(`openssl could not make a certificate: ${stderr}`);
  return files;
}
