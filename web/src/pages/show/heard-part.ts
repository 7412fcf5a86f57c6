/** How far somebody came with a topic, for the mark beside it; undefined for what was not begun. */
export function heardPart(position: number | undefined, seconds: number | undefined): number | undefined {
  if (position === undefined || position < 1 || seconds === undefined) return undefined;
  return Math.min(1, position / seconds);
}

/** What is left, in seconds; never less than a second, since something is. */
export const secondsLeft = (position: number, seconds: number): number => Math.max(1, seconds - position);
