/** The next station on the dial, wrapping around at the ends. */
export const turned = (at: number, count: number, by: 1 | -1): number =>
  count === 0 ? 0 : (at + by + count) % count;
