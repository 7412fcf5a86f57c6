const MOST_ATTRIBUTES = 40;

/** `BANDWIDTH=64000,CODECS="mp4a.40.2,ac-3"` by name: commas in quotation marks separate nothing. */
export function parseAttributes(text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (let at = 0; at < text.length && found.size < MOST_ATTRIBUTES;) {
    const equals = text.indexOf('=', at);
    if (equals === -1) break;
    const isQuoted = text[equals + 1] === '"';
    const from = equals + (isQuoted ? 2 : 1);
    const end = endOf(text, from, isQuoted ? '"' : ',');
    found.set(text.slice(at, equals).trim().toUpperCase(), text.slice(from, end).trim());
    at = endOf(text, end, ',') + 1;
  }
  return found;
}

function endOf(text: string, from: number, sign: string): number {
  const end = text.indexOf(sign, from);
  return end === -1 ? text.length : end;
}
