/** How much of a topic was heard, for the mark beside it; undefined if it was not begun. */
export function heardPart(position: number | undefined, seconds: number | undefined): number | undefined {
  if (position === undefined || position < 1 || seconds === undefined) return undefined;
  return Math.min(1, position / seconds);
}

/** The rest in seconds; at least one, since something is left. */
export const secondsLeft = (position: number, seconds: number): number => Math.max(1, seconds - position);
