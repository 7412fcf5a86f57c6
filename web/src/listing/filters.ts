/** What lists of stations can be narrowed down by. */
export const FILTERS = ['kind', 'country', 'language', 'quality'] as const;
export type FilterName = (typeof FILTERS)[number];

/** What is chosen, at most one of each. */
export type Chosen = Readonly<Partial<Record<FilterName, string>>>;

/** In the site's own addresses: `country` by itself is a parameter of the protocol's menus. */
const PREFIX = 'only-';

export const isFilterParam = (name: string): boolean => name.startsWith(PREFIX);

/** What an address says that is chosen, so that it can be shared and survives a reload. */
export function chosenIn(search: string): Chosen {
  const params = new URLSearchParams(search);
  const chosen = FILTERS.map((name) => [name, params.get(PREFIX + name) ?? ''] as const);
  return Object.fromEntries(chosen.filter(([, option]) => option !== ''));
}

/** The same address with another choice; an empty option is no choice. */
export function withChosen(search: string, chosen: Chosen): string {
  const params = new URLSearchParams(search);
  for (const name of FILTERS) {
    const option = chosen[name] ?? '';
    if (option === '') params.delete(PREFIX + name);
    else params.set(PREFIX + name, option);
  }
  return params.toString();
}

export const isNarrowed = (chosen: Chosen): boolean => FILTERS.some((name) => chosen[name] !== undefined);
