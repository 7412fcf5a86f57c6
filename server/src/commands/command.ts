import type { Config } from '../config.ts';

export interface Command {
  /** What stands behind `longwave NAME`, for the usage text. */
  usage: readonly string[];
  summary: string;
  /** Runs with settings that cannot be used, to say so among the rest; any other command is not begun. */
  takesAnySettings?: boolean;
  run(args: string[], config: Config, problems?: readonly string[]): Promise<void>;
}

/** A command line that cannot be understood: the usage is shown, and the exit code is 2. */
export class UsageError extends Error {
  override name = 'UsageError';
}
