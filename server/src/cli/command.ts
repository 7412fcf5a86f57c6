import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../app/config.ts';
import { parseJson } from '../lib/parse-json.ts';

export interface Command {
  /** The arguments after `longwave`, for the usage text. */
  usage: readonly string[];
  summary: string;
  /** Also runs with invalid settings, to report them; any other command refuses to start. */
  takesAnySettings?: boolean;
  run(args: string[], config: Config, problems?: readonly string[]): Promise<void>;
}

/** An invalid command line: the usage is shown, and the exit code is 2. */
export class UsageError extends Error {
  override name = 'UsageError';
}

export const VERSION = versionOf(
  parseJson(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')),
);

function versionOf(about: unknown): string {
  return typeof about === 'object' && about !== null && 'version' in about
    ? String(about.version)
    : 'unknown';
}

/** Where `npm run build -w web` writes the site. */
export const SITE_FOLDER = join(import.meta.dirname, '../../../web/dist');

/** Where `npm run docs:site` writes the documentation. */
export const DOCS_FOLDER = join(import.meta.dirname, '../../../dist/docs');
