/** Real documents stay below ten levels; far more still leaves the parser most of its stack. */
export const MOST_LEVELS = 200;

const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Text that nobody who means well sends. */
export class TooDeep extends SyntaxError {
  override name = 'TooDeep';

  constructor() {
    super(`nested deeper than ${MOST_LEVELS} levels; send it flatter`);
  }
}

/**
 * JSON of somebody else's, which must not reach `JSON.parse` unseen. V8 14.6 (Node 26) leaves its recursive parser
 * for another when its stack is full, some 6,000 levels deep, and that one, on a fault in the text, closes its handle
 * scopes in the wrong order: memory is used after it was freed, and a few texts of 27 kB end the process.
 */
export function parseJson(text: string): unknown {
  if (text.length > MOST_LEVELS && isTooDeep(text)) throw new TooDeep();
  return JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
}

/** Nothing where it is not JSON, for those who would not tell anybody why. */
export function tryParseJson(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/** Right for broken text too: up to its first fault it is read as the parser reads it, and the parser goes no further. */
function isTooDeep(text: string): boolean {
  let levels = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === OPEN_OBJECT || code === OPEN_ARRAY) levels += 1;
    else if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) levels -= 1;
    if (levels > MOST_LEVELS) return true;
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
