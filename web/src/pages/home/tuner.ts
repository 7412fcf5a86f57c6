/** The station after this one on the dial: turning on and on comes back to the first. */
export const turned = (at: number, count: number, by: 1 | -1): number =>
  count === 0 ? 0 : (at + by + count) % count;
