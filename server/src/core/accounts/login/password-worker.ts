import { constants, getPriority, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { type Options, hashSync, verifySync } from '@node-rs/argon2';

/** One password to hash, or to check against a hash. */
export interface PasswordTask {
  peppered: string;
  /** The hash to check against; without it, a new hash is made. */
  phc?: string | undefined;
  options: Options;
}

export type PasswordOutcome = { phc: string } | { fits: boolean };

// On Linux this sets the priority of this thread alone: menus come before passwords whenever both need the CPU.
// Relative to the process's own priority, which may already be lower than normal and must not be raised.
const { PRIORITY_BELOW_NORMAL, PRIORITY_LOW } = constants.priority;
setPriority(0, Math.min(PRIORITY_LOW, getPriority(0) + PRIORITY_BELOW_NORMAL));

function work({ peppered, phc, options }: PasswordTask): PasswordOutcome {
  return phc === undefined ? { phc: hashSync(peppered, options) } : { fits: verifySync(phc, peppered) };
}

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, no window
parentPort?.on('message', (task: PasswordTask) => parentPort?.postMessage(work(task)));
