import { Unreachable } from './ask.ts';
import type { Check, Section } from './check.ts';
import { Mismatch, NotShown } from './expect.ts';
import type { Kit } from './kit.ts';
import { curlLine } from './reply.ts';

export type Outcome = 'pass' | 'fail' | 'not applicable';

export interface Result {
  section: string;
  id: string;
  statement: string;
  outcome: Outcome;
  milliseconds: number;
  /** Why it failed or could not be shown. */
  expected?: string | undefined;
  came?: string | undefined;
  repeat?: string | undefined;
  reason?: string | undefined;
}

/** Every check in turn, so that times are a request's own and the server is asked gently. */
export async function* runChecks(kit: Kit, sections: readonly Section[]): AsyncGenerator<Result> {
  for (const { id: section, checks } of sections) {
    for (const check of checks) {
      const start = performance.now();
      const verdict = await judge(kit, check);
      const milliseconds = Math.round(performance.now() - start);
      yield { section, id: check.id, statement: check.statement, milliseconds, ...verdict };
    }
  }
}

type Verdict = Pick<Result, 'outcome' | 'expected' | 'came' | 'repeat' | 'reason'>;

async function judge(kit: Kit, check: Check): Promise<Verdict> {
  try {
    await check.run(kit);
    return { outcome: 'pass' };
  } catch (error) {
    if (error instanceof NotShown)
      return { outcome: 'not applicable', reason: `not shown: ${error.message}` };
    if (error instanceof Mismatch) {
      // What is not of one request was found by following links from the index.
      const index = { url: `${kit.options.baseUrl}/Browse.ashx`, headers: {} };
      const { expected, came, repeat = curlLine(index) } = error;
      return { outcome: 'fail', expected, came, repeat };
    }
    if (error instanceof Unreachable)
      return { outcome: 'fail', expected: 'an answer', came: error.message, repeat: error.repeat };
    throw error;
  }
}
