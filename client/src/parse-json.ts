/** Real answers stay below ten levels. */
const MAX_LEVELS = 200;

/**
 * A server's JSON; throws a SyntaxError for what is none. One that is nested some 6,000 levels deep and then broken
 * corrupts the memory of Node 26 (V8 14.6), so that a server could end the program that asked it.
 */
export function parseJson(text: string): unknown {
  if (isTooDeep(text)) throw new SyntaxError(`the answer is nested deeper than ${MAX_LEVELS} levels`);
  return JSON.parse(text);
}

function isTooDeep(text: string): boolean {
  let levels = 0;
  let isQuoted = false;
  for (let at = 0; at < text.length && levels <= MAX_LEVELS; at += 1) {
    const letter = text[at];
    if (letter === '"') isQuoted = !isQuoted;
    else if (isQuoted) at += letter === '\\' ? 1 : 0;
    else if (letter === '{' || letter === '[') levels += 1;
    else if (letter === '}' || letter === ']') levels -= 1;
  }
  return levels > MAX_LEVELS;
}
