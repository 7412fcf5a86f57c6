/** How a station of the farm behaves, with how many of a hundred do, and what a probe must find. */
const KINDS = {
  mp3: { share: 45, verdict: 'plays', format: 'mp3' },
  aac: { share: 15, verdict: 'plays', format: 'aac' },
  vorbis: { share: 5, verdict: 'plays', format: 'ogg' },
  opus: { share: 5, verdict: 'plays', format: 'opus' },
  /** 302 to the next host. */
  moved: { share: 6, verdict: 'plays', format: 'mp3' },
  /** A playlist that leads to the next host. */
  listed: { share: 6, verdict: 'plays', format: 'mp3' },
  missing: { share: 6, verdict: 'dead', format: null },
  page: { share: 4, verdict: 'dead', format: null },
  refused: { share: 4, verdict: 'refused', format: null },
  full: { share: 4, verdict: 'busy', format: null },
} as const;

export type Kind = keyof typeof KINDS;

const HUNDRED = Object.entries(KINDS).flatMap(([kind, { share }]) =>
  // oxlint-disable-next-line no-unsafe-type-assertion -- the keys of the table above
  Array.from({ length: share }, () => kind as Kind),
);

/** Any hundred numbers in a row have exactly the shares above, well mixed. */
export const kindOf = (number: number): Kind => HUNDRED[(number * 37) % HUNDRED.length] ?? 'mp3';

export const expectedOf = (number: number): { verdict: string; format: string | null } =>
  KINDS[kindOf(number)];
