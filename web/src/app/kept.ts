/**
 * What the site stores in this browser. Storage may be disabled or full: then values last as long as the page is open.
 */
export type Name =
  | 'language'
  | 'theme'
  | 'fonts'
  | 'volume'
  | 'positions'
  | 'place'
  | 'alarm'
  | `position.${string}`;

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
    // An unreadable value counts as missing.
  }
}

/** The stored names with this prefix. */
export function keptNames(prefix: 'position.'): Name[] {
  const names = new Set([...refused.keys()].filter((name) => name.startsWith(prefix)));
  try {
    for (const key of Object.keys(localStorage))
      // oxlint-disable-next-line no-unsafe-type-assertion -- a key with this prefix is such a name
      if (key.startsWith(PREFIX + prefix)) names.add(key.slice(PREFIX.length) as Name);
  } catch {
    // As above.
  }
  return [...names];
}
