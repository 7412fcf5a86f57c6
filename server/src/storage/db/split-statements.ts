/** A text or a name in quotes, a body between dollars, a comment: what may hold a semicolon that ends nothing. */
const WHOLE = /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[^]*?\*\/|\$(\w*)\$[^]*?\$\1\$/y;

/** The statements of a file of SQL, in order, each with the comments before it. */
export function splitStatements(text: string): string[] {
  const statements: string[] = [];
  let begin = 0;
  for (let at = 0; at < text.length;) {
    WHOLE.lastIndex = at;
    if (WHOLE.test(text)) {
      at = WHOLE.lastIndex;
      continue;
    }
    at += 1;
    if (text[at - 1] !== ';') continue;
    statements.push(text.slice(begin, at));
    begin = at;
  }
  return [...statements, text.slice(begin)].filter((statement) => !isEmpty(statement));
}

const isEmpty = (statement: string): boolean =>
  statement.replaceAll(/--[^\n]*|\/\*[^]*?\*\//g, '').trim() === '';
