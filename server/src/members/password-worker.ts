import { constants, getPriority, setPriority } from 'node:os';
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
// Below what the process has, which may have been started with less than the usual and must not be given more.
const { PRIORITY_BELOW_NORMAL, PRIORITY_LOW } = constants.priority;
setPriority(0, Math.min(PRIORITY_LOW, getPriority(0) + PRIORITY_BELOW_NORMAL));

function work({ peppered, phc, options }: PasswordTask): PasswordOutcome {
  return phc === undefined ? { phc: hashSync(peppered, options) } : { fits: verifySync(phc, peppered) };
}

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, no window
parentPort?.on('message', (task: PasswordTask) => parentPort?.postMessage(work(task)));
