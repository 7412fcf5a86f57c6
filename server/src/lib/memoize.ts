/**
 * Caches results by argument: callers send the same few formats, languages and hosts again and again. The cache is
 * cleared when full, so that invented values cannot exhaust memory.
 */
export function memoize<T>(compute: (text: string) => T, most = 500): (text: string) => T {
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

/** From this length on, V8 stores a substring as a reference into the whole string. */
const PIECE_LENGTH = 13;

/** A copy that does not keep the parent string alive; for parts of a request's URL that outlive the request. */
export const ownText = (text: string): string =>
  text.length < PIECE_LENGTH ? text : Buffer.from(text).toString();
