/** No schedule is about other times, and near the ends of what can be counted sums of times fail. */
const [FIRST, LAST] = [Date.UTC(1970, 0, 1), Date.UTC(2200, 0, 1)];

/** `2026-03-29T04:00:00Z`, `…+0000`, `…+02:00`; undefined for anything that names no instant of these centuries. */
export function parseInstant(text: string | undefined): Temporal.Instant | undefined {
  const instant =
    text === undefined || text.length > 40 ? undefined : orUndefined(() => Temporal.Instant.from(text));
  const ms = instant?.epochMilliseconds ?? Number.NaN;
  return ms >= FIRST && ms <= LAST ? instant : undefined;
}

/** Whether it is of the times that schedules are about; a clock's, so a day more or less does not matter. */
export const isOfOurTimes = ({ year }: Temporal.PlainDateTime): boolean => year >= 1900 && year < 2200;

/** What could be made, or undefined for what no calendar has. */
export function orUndefined<T>(make: () => T): T | undefined {
  try {
    return make();
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
