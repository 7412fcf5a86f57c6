import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** What a package wants to be said where it is passed on. */
export interface Notice {
  name: string;
  version: string;
  licence: string;
  text: string;
}

export function readNotice(folder: string): Notice {
  const { name, version, license, licenses } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const licence = license?.type ?? license ?? licenses?.[0]?.type ?? 'see below';
  const texts = readdirSync(folder)
    .filter((file) => /^(licen[cs]e|notice|copying)/iu.test(file))
    .toSorted()
    .map((file) => readFileSync(join(folder, file), 'utf8').trim());
  return { name, version, licence, text: texts.join('\n\n') };
}

/** One text of all licences: those given, and those of what the site's build holds. */
export function collectNotices(installed: readonly Notice[], checkout: string): string {
  const unique = new Map<string, Notice>();
  for (const notice of [...installed, ...siteNotices(checkout), ownNotice(checkout)])
    unique.set(`${notice.name} ${notice.version}`, notice);
  const sections = [...unique.entries()]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([title, { licence, text }]) => `${'='.repeat(78)}\n${title}: ${licence}\n\n${text}`.trimEnd());
  return `Longwave holds the work of others, under these licences.\n\n${sections.join('\n\n')}\n`;
}

/** The letters of the logos it draws are a font's. */
const ownNotice = (checkout: string): Notice => ({
  name: 'letters of drawn logos',
  version: '',
  licence: 'see below',
  text: readFileSync(join(checkout, 'server/src/protocols/logos/glyphs/LICENSE'), 'utf8').trim(),
});

/** The site's dependencies and theirs, which its build has made part of its files. */
function siteNotices(checkout: string): Notice[] {
  const found = new Map<string, Notice>();
  const visit = (from: string): void => {
    const { dependencies = {} } = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8'));
    for (const name of Object.keys(dependencies)) {
      const folder = findPackage(name, from);
      if (name.startsWith('@longwave/') || folder === undefined || found.has(folder)) continue;
      found.set(folder, readNotice(folder));
      visit(folder);
    }
  };
  visit(join(checkout, 'web'));
  return [...found.values()];
}

/** As Node looks for it: in the nearest node_modules that has it. */
function findPackage(name: string, from: string): string | undefined {
  for (let folder = from; folder !== '/'; folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules', name);
    if (existsSync(join(candidate, 'package.json'))) return candidate;
  }
  return undefined;
}
