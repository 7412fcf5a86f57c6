import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { CHECKOUT, sourceDate } from '../tree/checkout.ts';
import { setDates } from '../tree/normalize.ts';
import { manualPage } from './manual-page.ts';

const SOURCE = join(CHECKOUT, 'deploy/debian');
const UNITS = [
  'longwave.service',
  'longwave-worker.service',
  'longwave-dns.service',
  'longwave-relay.service',
  'longwave-upnp.service',
];
const DOC = 'usr/share/doc/longwave';

/** Puts everything but the tree itself to where Debian has it, and returns the version of the package. */
export function layOut(root: string, architecture: string): string {
  const { version } = JSON.parse(readFileSync(join(CHECKOUT, 'package.json'), 'utf8'));
  const date = sourceDate();
  const put = (path: string, content: string | Buffer, mode = 0o644): void => {
    const file = join(root, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    chmodSync(file, mode);
  };
  put('usr/bin/longwave', ours('longwave'), 0o755);
  put('usr/lib/longwave/bin/setup-database', ours('setup-database'), 0o755);
  put('etc/longwave/longwave.env', ours('longwave.env'));
  for (const unit of UNITS)
    put(
      `lib/systemd/system/${unit}`,
      ours(unit).replace('@HARDENING@', () => ours('hardening.conf')),
    );
  put('usr/share/man/man1/longwave.1.gz', pack(manualPage(ours('longwave.1'), { version, date })));
  put('usr/share/lintian/overrides/longwave', ours('lintian-overrides'));
  layOutDocuments(root, put, version, date);

  put('DEBIAN/conffiles', '/etc/longwave/longwave.env\n');
  for (const script of ['postinst', 'prerm', 'postrm']) put(`DEBIAN/${script}`, ours(script), 0o755);
  const files = filesBelow(root).filter((path) => !path.startsWith('DEBIAN/'));
  put('DEBIAN/md5sums', files.map((path) => `${md5(join(root, path))}  ${path}\n`).join(''));
  put('DEBIAN/control', controlFile(root, files, { version, architecture }));
  openFolders(root);
  setDates(root, date);
  return version;
}

type Put = (path: string, content: string | Buffer, mode?: number) => void;

function layOutDocuments(root: string, put: Put, version: string, date: Date): void {
  put(`${DOC}/copyright`, ours('copyright'));
  put(`${DOC}/changelog.gz`, pack(changelog(version, date)));
  for (const page of [
    'docs/install.md',
    'docs/relay.md',
    'docs/upnp.md',
    'docs/configuration.md',
    'CHANGELOG.md',
  ])
    put(
      `${DOC}/${basename(page).replace('CHANGELOG', 'changes')}.gz`,
      pack(readFileSync(join(CHECKOUT, page), 'utf8')),
    );
  const notices = join(root, 'usr/lib/longwave/NOTICES');
  put(`${DOC}/NOTICES.gz`, pack(readFileSync(notices, 'utf8')));
  for (const file of ['NOTICES', 'LICENSE']) rmSync(join(root, 'usr/lib/longwave', file));
}

const ours = (name: string): string => readFileSync(join(SOURCE, name), 'utf8');
const pack = (text: string): Buffer => gzipSync(text, { level: 9 });
const md5 = (file: string): string => createHash('md5').update(readFileSync(file)).digest('hex');

function controlFile(
  root: string,
  files: readonly string[],
  about: { version: string; architecture: string },
): string {
  const kilobytes = files.reduce((sum, path) => sum + Math.ceil(statSync(join(root, path)).size / 1024), 0);
  return ours('control')
    .replace('@VERSION@', about.version)
    .replace('@ARCHITECTURE@', about.architecture)
    .replace('@INSTALLED_SIZE@', String(kilobytes));
}

function changelog(version: string, date: Date): string {
  const stamp = date.toUTCString().replace('GMT', '+0000');
  const maintainer = /^Maintainer: (?<name>.*)$/mu.exec(ours('control'))?.groups?.['name'] ?? '';
  return `longwave (${version}) bookworm; urgency=medium\n\n  * Longwave ${version}; what changed is in changes.md.gz.\n\n -- ${maintainer}  ${stamp}\n`;
}

/** dpkg-deb refuses a root that others cannot enter, as temporary folders are. */
function openFolders(root: string): void {
  chmodSync(root, 0o755);
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true }))
    if (entry.isDirectory()) chmodSync(join(entry.parentPath, entry.name), 0o755);
}

const filesBelow = (root: string): string[] =>
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => statSync(join(root, path)).isFile())
    .toSorted();
