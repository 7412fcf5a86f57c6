/**
 * The function with a memory for its latest arguments: callers send few different formats, languages and hosts, again
 * and again. Forgets everything when full, so that a caller who invents new ones costs no memory.
 */
export function remember<T>(compute: (text: string) => T, most = 500): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const value = compute(text);
    if (known.size >= most) known.clear();
    known.set(text, value);
    return value;
  };
}
