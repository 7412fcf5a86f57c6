/**
 * What the site remembers in this browser. A browser may keep nothing, or refuse when it is full: then it is remembered as long as
 * the page is open.
 */
export type Name = 'language' | 'theme' | 'volume' | 'positions' | 'place' | `position.${string}`;

const PREFIX = 'longwave.';
const refused = new Map<Name, string>();

export function kept(name: Name): string | null {
  const own = refused.get(name);
  if (own !== undefined) return own;
  try {
    return localStorage.getItem(PREFIX + name);
  } catch {
    return null;
  }
}

export function keep(name: Name, value: string): void {
  try {
    localStorage.setItem(PREFIX + name, value);
    refused.delete(name);
  } catch {
    refused.set(name, value);
  }
}

export function forget(name: Name): void {
  refused.delete(name);
  try {
    localStorage.removeItem(PREFIX + name);
  } catch {
    // What cannot be read was never kept.
  }
}

/** The names of what is kept that begin so. */
export function keptNames(prefix: 'position.'): Name[] {
  const names = new Set([...refused.keys()].filter((name) => name.startsWith(prefix)));
  try {
    for (const key of Object.keys(localStorage))
      // oxlint-disable-next-line no-unsafe-type-assertion -- what begins with the prefix is such a name
      if (key.startsWith(PREFIX + prefix)) names.add(key.slice(PREFIX.length) as Name);
  } catch {
    // As above.
  }
  return [...names];
}
