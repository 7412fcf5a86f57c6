import { join } from 'node:path';
import type { Config } from '../app/config.ts';

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

/** Where `npm run build -w web` writes the site. */
export const SITE_FOLDER = join(import.meta.dirname, '../../../web/dist');

/** Where `npm run docs:site` writes the documentation. */
export const DOCS_FOLDER = join(import.meta.dirname, '../../../dist/docs');
