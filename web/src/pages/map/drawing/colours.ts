/** The map's colours, from the page's own in the current theme. */
export interface Colours {
  sea: string;
  land: string;
  line: string;
  amber: string;
  /** The centre of a light. */
  core: string;
  ink: string;
  /** For names of countries. */
  quiet: string;
  tick: string;
  /** The family of the page's text. */
  font: string;
  isDark: boolean;
}

const NAMES = {
  sea: '--map-sea',
  land: '--map-land',
  line: '--map-line',
  amber: '--amber',
  core: '--map-core',
  ink: '--ink',
  quiet: '--quiet',
  tick: '--line-strong',
} as const;

/** A canvas cannot resolve CSS variables: a child of its frame computes them. */
export function readColours(frame: HTMLElement): Colours {
  const probe = document.createElement('span');
  frame.append(probe);
  const read = (name: string): string => {
    probe.style.color = `var(${name})`;
    return getComputedStyle(probe).color;
  };
  const entries = Object.entries(NAMES).map(([key, name]) => [key, read(name)]);
  const { fontFamily: font } = getComputedStyle(frame);
  const isDark = getComputedStyle(frame).getPropertyValue('--map-is-dark').trim() === '1';
  probe.remove();
  // oxlint-disable-next-line no-unsafe-type-assertion -- one entry for each name above
  return { ...(Object.fromEntries(entries) as Record<keyof typeof NAMES, string>), font, isDark };
}
