import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Authority {
  /** What a client is told to trust. */
  authorityFile: string;
  certFile: string;
  keyFile: string;
}

const KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

/** A certificate for the name that radios call, signed by an authority of the house's own. */
export function makeAuthority(folder: string, name: string): Authority {
  const file = (leaf: string): string => join(folder, leaf);
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
  writeFileSync(file('names'), `subjectAltName=DNS:${name}\n`);
  const ofAuthority = [
    '-keyout',
    'authority.key',
    '-out',
    'authority.pem',
    '-subj',
    '/CN=The owner of the house',
  ];
  openssl('req', '-x509', ...KEY, '-days', '2', ...ofAuthority);
  openssl('req', ...KEY, '-keyout', 'server.key', '-out', 'request.pem', '-subj', `/CN=${name}`);
  const by = ['-CA', 'authority.pem', '-CAkey', 'authority.key', '-CAcreateserial', '-extfile', 'names'];
  openssl('x509', '-req', '-in', 'request.pem', '-out', 'server.pem', '-days', '2', ...by);
  return { authorityFile: file('authority.pem'), certFile: file('server.pem'), keyFile: file('server.key') };
}
