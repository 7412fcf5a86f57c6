import type { Section } from './check.ts';
import type { Outcome, Result } from './run.ts';

const WORD: Record<Outcome, string> = { pass: 'pass', fail: 'FAIL', 'not applicable': 'n/a ' };

/** A section's heading in the table. */
export const writeHeading = ({ id, title }: Section): string => `\n${id}  ${title}\n`;

/** One row of the table; under a row that is not a pass, why. */
export function writeRow(result: Result): string {
  const { outcome, id, statement, milliseconds } = result;
  const row = `  ${WORD[outcome]}  ${id.padEnd(24)} ${statement}  [${milliseconds} ms]\n`;
  return (
    row +
    remarks(result)
      .map((line) => `        ${line}\n`)
      .join('')
  );
}

function remarks({ outcome, expected, came, repeat, reason }: Result): string[] {
  if (outcome === 'not applicable') return [reason ?? ''];
  if (outcome === 'pass') return [];
  // A server's own bytes: on one line, and nothing that a terminal would obey.
  const lines = [`expected: ${expected}`, `came:     ${came?.replaceAll(/[\s\p{Cc}]+/gu, ' ')}`];
  return repeat === undefined ? lines : [...lines, `repeat:   ${repeat}`];
}

export interface Summary {
  passed: number;
  failed: number;
  notApplicable: number;
}

export function summarise(results: readonly Result[]): Summary {
  const count = (outcome: Outcome): number => results.filter((result) => result.outcome === outcome).length;
  return { passed: count('pass'), failed: count('fail'), notApplicable: count('not applicable') };
}

export function writeSummary(summary: Summary, requests: number, milliseconds: number): string {
  const { passed, failed, notApplicable } = summary;
  const work = `${requests} requests in ${(milliseconds / 1000).toFixed(1)} s`;
  return `\n${passed} passed, ${failed} failed, ${notApplicable} not applicable; ${work}\n`;
}
