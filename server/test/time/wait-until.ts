import { setTimeout as sleep } from 'node:timers/promises';
import type { Program } from '../processes/program.ts';

/** Asks until there is an answer, and fails when there is none in time, saying what the last try met. */
export async function waitUntil<T>(
  what: string,
  ask: () => Promise<T | undefined>,
  deadlineMs = 30_000,
): Promise<T> {
  const end = performance.now() + deadlineMs;
  let cause: unknown;
  while (performance.now() < end) {
    try {
      const answer = await ask();
      if (answer !== undefined) return answer;
    } catch (error) {
      cause = error;
    }
    await sleep(100);
  }
  throw new Error(`${what}: not within ${deadlineMs / 1000} s`, { cause });
}

/** The same for what a program has to be up for: when it ends instead, that is told at once, in its own words. */
export async function waitFor<T>(
  program: Program,
  what: string,
  ask: () => Promise<T | undefined>,
): Promise<T> {
  const askOrEnd = async () => (program.hasEnded() ? { ended: true } : await answered(ask));
  const outcome = await waitUntil(what, askOrEnd, 60_000).catch((cause: unknown) => {
    throw new Error(`${what} did not come: ${program.said()}`, { cause });
  });
  if ('answer' in outcome) return outcome.answer;
  throw new Error(`${what} ended: ${program.said()}`);
}

async function answered<T>(ask: () => Promise<T | undefined>): Promise<{ answer: T } | undefined> {
  const answer = await ask();
  return answer === undefined ? undefined : { answer };
}
