import { constants, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { type Options, hashSync, verifySync } from '@node-rs/argon2';

/** One password to hash, or to hold against a hash. */
export interface PasswordTask {
  peppered: string;
  /** What it is held against; without it, a new hash is made. */
  phc?: string | undefined;
  options: Options;
}

export type PasswordOutcome = { phc: string } | { fits: boolean };

// On Linux this is the priority of this thread alone: menus come before passwords wherever both want the processor.
setPriority(0, constants.priority.PRIORITY_BELOW_NORMAL);

function work({ peppered, phc, options }: PasswordTask): PasswordOutcome {
  return phc === undefined ? { phc: hashSync(peppered, options) } : { fits: verifySync(phc, peppered) };
}

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, no window
parentPort?.on('message', (task: PasswordTask) => parentPort?.postMessage(work(task)));
