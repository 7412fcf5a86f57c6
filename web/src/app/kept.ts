/** What the site remembers in this browser. A browser may keep nothing, or refuse when it is full: then it is forgotten. */
type Name = 'language' | 'theme' | 'volume' | 'positions' | 'place';

const key = (name: Name): string => `longwave.${name}`;

export function kept(name: Name): string | null {
  try {
    return localStorage.getItem(key(name));
  } catch {
    return null;
  }
}

export function keep(name: Name, value: string): void {
  try {
    localStorage.setItem(key(name), value);
  } catch {
    // Nothing to do about it, and nothing is broken by it.
  }
}

export function forget(name: Name): void {
  try {
    localStorage.removeItem(key(name));
  } catch {
    // As above.
  }
}
