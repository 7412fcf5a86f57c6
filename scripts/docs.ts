import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SETTINGS } from '../server/src/app/config.ts';
import { fileVariable } from '../server/src/app/settings/setting-text.ts';
import { writeUsage } from '../server/src/cli/run-command.ts';
import type { DeviceProfile } from '../server/src/core/devices/profile.ts';
import { PROFILES } from '../server/src/core/devices/profiles.ts';
import { formatNames } from '../server/src/lib/stream-format.ts';

/** Pages of docs/ that are generated from the code, so that they cannot disagree. */
export function configurationPage(): string {
  const rows = Object.values(SETTINGS).map(({ name, formerly, unset, expects, secret, description }) => {
    const value = typeof unset === 'string' || typeof unset === 'number' ? code(`${unset}`) : '';
    const before = formerly === undefined ? '' : ` Until the next release also ${code(formerly)}.`;
    const file = secret ? ` Or ${code(fileVariable(name))}.` : '';
    return [code(name), value, expects, description + before + file];
  });
  return [
    '# Configuration',
    '',
    'Settings are environment variables. All have a default or may be left out, and an empty one is left out.',
    'At start every wrong one is named, with what it must be; `longwave config` prints what is in force.',
    '',
    'What may hold a password or key can be given as a file instead, as containers and systemd hand out secrets: `MEMBER_KEY_FILE` is the path,',
    'from the root on, of a file that holds the value. `longwave config` says which file a value came from. Set one or the other, not both.',
    '',
    'This page is written by `npm run docs` from `server/src/app/config.ts`.',
    '',
    ...table(['Setting', 'Default', 'Must be', 'Meaning'], rows),
    '',
  ].join('\n');
}

const PROFILES_BEGIN = '<!-- profiles: written by npm run docs from server/src/core/devices/profiles -->';
const PROFILES_END = '<!-- end of profiles -->';

/** The page of devices, with its tables of profiles generated from the code. */
export function devicesPage(page: string): string {
  const [before, rest = ''] = page.split(PROFILES_BEGIN, 2);
  const [, after] = rest.split(PROFILES_END, 2);
  if (after === undefined)
    throw new Error(`docs/devices.md needs a line '${PROFILES_BEGIN}' and a line '${PROFILES_END}'`);
  const rows = PROFILES.map((profile) => [
    code(profile.id),
    profile.name,
    knownBy(profile),
    formatNames(profile.formats).join(', '),
    profile.tls,
    profile.playlists.join(', ') || 'none',
    limitsOf(profile),
    profile.grade,
  ]);
  const header = ['Profile', 'Device', 'Known by', 'Plays', 'TLS', 'Playlists', 'Limits', 'Grade'];
  const evidence = PROFILES.map(({ id, evidence: text }) => `- ${code(id)}: ${text}`);
  return [
    before + PROFILES_BEGIN,
    '',
    ...table(header, rows),
    '',
    ...evidence,
    '',
    PROFILES_END + after,
  ].join('\n');
}

function knownBy({ match: { userAgents, partnerIds, formats } }: DeviceProfile): string {
  const marks = [
    ['User-Agent', userAgents],
    ['partnerId', partnerIds],
    ['formats', formats],
  ] as const;
  const said = marks
    .filter(([, texts]) => texts.length > 0)
    .map(([what, texts]) => `${what} ${texts.map(code).join(', ')}`);
  return said.join('; ') || 'nothing';
}

function limitsOf({ redirects, maxAddressLength, pageSize }: DeviceProfile): string {
  const said = [
    redirects === Infinity ? '' : `${redirects || 'no'} redirects`,
    maxAddressLength === Infinity ? '' : `addresses of ${maxAddressLength}`,
    pageSize === undefined ? '' : `${pageSize} stations a page`,
  ];
  return said.filter((text) => text !== '').join(', ');
}

const code = (text: string): string => `\`${text}\``;

/** A table as the formatter leaves it: every cell as wide as the widest of its column. */
function table(header: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const widths = header.map((_title, column) =>
    Math.max(...[header, ...rows].map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  return [line(header), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)];
}

if (import.meta.main) {
  writeFileSync(join(import.meta.dirname, '../docs/configuration.md'), configurationPage());
  writeFileSync(join(import.meta.dirname, '../server/src/cli/usage.txt'), await writeUsage());
  const devices = join(import.meta.dirname, '../docs/devices.md');
  writeFileSync(devices, devicesPage(readFileSync(devices, 'utf8')));
}
