/** Real documents stay below ten levels; even 200 leave the parser most of its stack. */
export const MAX_LEVELS = 200;

const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** JSON nested deeper than any legitimate document. */
export class TooDeep extends SyntaxError {
  override name = 'TooDeep';

  constructor() {
    super(`nested deeper than ${MAX_LEVELS} levels; flatten it`);
  }
}

/**
 * For untrusted JSON, which must not reach `JSON.parse` unchecked. V8 14.6 (Node 26) leaves its recursive parser for
 * another when its stack is full, some 6,000 levels deep; on a syntax error that one closes its handle scopes in the
 * wrong order. Memory is then used after it was freed, and a few texts of 27 kB crash the process.
 */
export function parseJson(text: string): unknown {
  if (text.length > MAX_LEVELS && isTooDeep(text)) throw new TooDeep();
  return JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
}

/** Undefined for invalid JSON, for callers that do not report why. */
export function tryParseJson(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/** Also correct for broken text: it reads like the parser up to the first syntax error, where the parser stops too. */
function isTooDeep(text: string): boolean {
  let levels = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === OPEN_OBJECT || code === OPEN_ARRAY) levels += 1;
    else if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) levels -= 1;
    if (levels > MAX_LEVELS) return true;
  }
  return false;
}

function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at;
    if (code === BACKSLASH) at += 1;
  }
  return text.length;
}
