/** Of the most popular part: those that many others hear. */
const PART = 0.25;
const [LEAST, MOST] = [50, 2000];

/** Some station among the first of a list that has the most popular first; never the last one again. */
export function surprise(count: number, last: number | undefined, random = Math.random): number | undefined {
  const choice = Math.min(count, Math.max(LEAST, Math.min(MOST, Math.ceil(count * PART))));
  const others = last !== undefined && last < choice ? choice - 1 : choice;
  if (others <= 0) return undefined;
  const chosen = Math.floor(random() * others);
  return last !== undefined && chosen >= last ? chosen + 1 : chosen;
}
