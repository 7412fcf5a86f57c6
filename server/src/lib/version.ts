import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { tryParseJson } from './parse-json.ts';

/** A text of a JSON file, empty where there is none. */
function fieldOf(file: string, name: string): string {
  const value = tryParseJson(textOf(file));
  const field: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, name) : '';
  return typeof field === 'string' ? field : '';
}

/** Empty where there is no such file. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** The release, as in server/package.json; every place that names a version takes it from here. */
export const VERSION = fieldOf(join(import.meta.dirname, '../../package.json'), 'version');

/** What we call ourselves to the servers we ask. */
export const PRODUCT = `longwave/${VERSION}`;

/** Written by scripts/release/build-info.ts into packages and images; a checkout has none. */
const BUILD_FILE = join(import.meta.dirname, '../../../build.json');

export interface BuildInfo {
  version: string;
  /** The commit it was built from, or `unknown`. */
  commit: string;
  /** Node's version, without the `v`. */
  node: string;
}

export function readBuildInfo(file = BUILD_FILE): BuildInfo {
  return { version: VERSION, commit: commitIn(file) ?? 'unknown', node: process.versions.node };
}

/** It becomes a label of a metric, so nothing but a commit is taken. */
function commitIn(file: string): string | undefined {
  const commit = fieldOf(file, 'commit');
  return /^[0-9a-f]{7,64}$/.test(commit) ? commit : undefined;
}

/** One line, as `longwave --version` prints it. */
export const writeBuildInfo = ({ version, commit, node }: BuildInfo): string =>
  `longwave ${version}${commit === 'unknown' ? '' : ` (commit ${commit.slice(0, 12)})`}, Node ${node}`;
