#!/usr/bin/env node
/**
 * `node scripts/release/tag.ts`: tags the commit as the release that package.json names, if everything says that it is
 * one. The tag is annotated with the section of CHANGELOG.md. Nothing is pushed.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { commitOf, git } from './commit.ts';
import { writeNotices } from './notices.ts';
import { CHECKOUT } from './packages.ts';

const MANIFESTS = ['package.json', 'server/package.json', 'client/package.json', 'web/package.json'];
/** `.ci/run` writes the commit there when everything passed. */
const GATE_FILE = 'artifacts/gate-passed';

/** The release of a checkout: its version and notes, and what keeps it from being one. */
export interface Release {
  version: string;
  notes: string;
  problems: string[];
}

export function readRelease(checkout = CHECKOUT): Release {
  const { version = '' } = readVersions(checkout, 'package.json');
  const notes = changesOf(readFileSync(join(checkout, 'CHANGELOG.md'), 'utf8'), version);
  const problems = [
    ...treeProblems(checkout, version),
    ...versionProblems(checkout, version),
    ...(notes === ''
      ? [`CHANGELOG.md needs a section '## ${version} - YYYY-MM-DD' with what changed, as its first`]
      : []),
    ...gateProblems(checkout),
    ...noticesProblems(checkout),
  ];
  return { version, notes, problems };
}

function treeProblems(checkout: string, version: string): string[] {
  const changed = git(checkout, 'status', '--porcelain');
  const problems = changed === '' ? [] : [`these files are not committed:\n${changed}`];
  if (git(checkout, 'tag', '--list', `v${version}`) !== '')
    problems.push(`there is a tag v${version} already; raise the version in ${MANIFESTS.join(', ')}`);
  return problems;
}

function versionProblems(checkout: string, version: string): string[] {
  const others = MANIFESTS.map((file) => ({ file, version: readVersions(checkout, file).version }));
  const lock = readVersions(checkout, 'package-lock.json');
  others.push({ file: 'package-lock.json', version: lock.version });
  return others
    .filter((one) => one.version !== version)
    .map((one) => `${one.file} says version ${one.version}, package.json says ${version}; make them equal`);
}

function gateProblems(checkout: string): string[] {
  const file = join(checkout, GATE_FILE);
  const passed = existsSync(file) ? readFileSync(file, 'utf8').trim() : 'none';
  return passed === commitOf(checkout)
    ? []
    : [`the gate has passed for ${passed}, not for this commit; run: bash .ci/run`];
}

function noticesProblems(checkout: string): string[] {
  const isCurrent = readFileSync(join(checkout, 'NOTICES'), 'utf8') === writeNotices(checkout);
  return isCurrent ? [] : ['NOTICES is not current; run: node scripts/release/notices.ts'];
}

const readVersions = (checkout: string, file: string): { version?: string } =>
  JSON.parse(readFileSync(join(checkout, file), 'utf8'));

/** The first section of a change log if it is that of the version and has a date, otherwise nothing. */
export function changesOf(changelog: string, version: string): string {
  const [, first = ''] = changelog.split(/^## /m);
  const [heading = '', ...lines] = first.split('\n');
  const [, named, date] = /^\[?(\d+\.\d+\.\d+)\]? - (\d{4}-\d{2}-\d{2})$/.exec(heading) ?? [];
  return named === version && date !== undefined ? lines.join('\n').trim() : '';
}

if (import.meta.main) {
  const { version, notes, problems } = readRelease();
  for (const problem of problems) console.error(`- ${problem}`);
  if (problems.length > 0) process.exit(1);
  const message = `Longwave ${version}\n\n${notes}\n`;
  execFileSync('git', ['tag', '--annotate', '--cleanup=verbatim', '--file=-', `v${version}`], {
    cwd: CHECKOUT,
    input: message,
  });
  console.log(`tagged v${version}; nothing is pushed. To publish it: git push origin v${version}`);
}
