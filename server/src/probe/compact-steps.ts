import type { CheckStep } from '../catalog/stream-checks.ts';
import type { Step } from '../tuner/step.ts';

/** More steps than any way to a sound that is worth telling. */
const MOST = 12;
/** So that all of them, in any script, are less than the 16 KiB that the column takes. */
const [LONGEST_ADDRESS, LONGEST_DETAIL] = [200, 160];

/** The steps as they are kept: bounded, and the address told only where it is another than the one before. */
export function compactSteps(steps: readonly Step[]): CheckStep[] {
  const kept = steps.length <= MOST ? steps : [...steps.slice(0, MOST / 2), ...steps.slice(-MOST / 2)];
  return kept.map(({ what, address, ms, status, detail }, index) => {
    const step: CheckStep = { what, ms, detail: cut(detail, LONGEST_DETAIL) };
    if (address !== kept[index - 1]?.address) step.address = cut(address, LONGEST_ADDRESS);
    if (status !== undefined) step.status = status;
    return step;
  });
}

/** A NUL or half a character is what PostgreSQL keeps in no text. */
function cut(text: string, most: number): string {
  const plain = text.includes('\0') ? text.replaceAll('\0', '') : text;
  return (plain.length <= most ? plain : `${plain.slice(0, most - 1)}…`).toWellFormed();
}
