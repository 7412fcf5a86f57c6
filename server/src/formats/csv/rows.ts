/** One row of a table, or why a line is not one; lines are counted from 1. */
export type CsvRow = { line: number; cells: string[] } | { line: number; refused: string };

export const MAX_RECORD_LENGTH = 64 * 1024;
/** A cell may contain line ends, but a missing quote must not swallow the rest of the file. */
const MAX_LINES_PER_ROW = 30;
/** The overhead of a line, in characters. */
const LINE_COST = 20;

/** More than any useful table has; a line of nothing but delimiters would have thousands. */
const MAX_CELLS = 1000;

const DELIMITERS = [',', ';', '\t', '|'];
/** Excel's marker for the delimiter, where numbers contain commas. */
const SAYS_DELIMITER = /^"?sep=(.)"?[,;\t|]*$/i;

/** The delimiter that the first lines declare or use, and how many lines precede the heading. */
export function delimiterOf(lines: readonly string[]): { delimiter: string; before: number } {
  const first = lines.findIndex((line) => line.trim() !== '');
  const heading = lines[first] ?? '';
  const [, said] = SAYS_DELIMITER.exec(heading.slice(0, 20).trim()) ?? [];
  if (said !== undefined) return { delimiter: said, before: first + 1 };
  const count = (delimiter: string): number => heading.split(delimiter).length;
  const [delimiter = ','] = DELIMITERS.toSorted((a, b) => count(b) - count(a));
  return { delimiter, before: Math.max(first, 0) };
}

/**
 * Reads a table line by line. A row whose quote never closes is refused alone: the lines taken for the rest of it are
 * read again as rows of their own. Only an eighth may be read again: in a table of nothing but such quotes each line
 * would be read thirty times.
 */
export class CsvRows {
  readonly #delimiter: string;
  /** The lines of the current row. */
  #open: string[] = [];
  #row: RowReader;
  #line: number;
  /** How much may still be read again; when it is used up, a row ends with its line. */
  #spare = MAX_RECORD_LENGTH / 4;

  constructor(delimiter: string, linesBefore: number) {
    this.#delimiter = delimiter;
    this.#row = new RowReader(delimiter);
    this.#line = linesBefore;
  }

  /** The rows that end with these lines. */
  push(lines: readonly string[]): CsvRow[] {
    this.#spare += costOf(lines) / 8;
    return this.#take(lines.toReversed());
  }

  /** `waiting` is a stack: the next line is last. */
  #take(waiting: string[]): CsvRow[] {
    const rows: CsvRow[] = [];
    for (let line = waiting.pop(); line !== undefined; line = waiting.pop()) {
      if (this.#open.length === 0 && line.trim() === '') this.#line += 1;
      else if (this.#read(line)) this.#finish(rows);
      else if (this.#isTooLong()) rows.push(this.#refuse(waiting));
    }
    return rows;
  }

  /** The row that is still open at the end. */
  end(): CsvRow[] {
    const rows: CsvRow[] = [];
    while (this.#open.length > 0) {
      const waiting: string[] = [];
      rows.push(this.#refuse(waiting), ...this.#take(waiting));
    }
    return rows;
  }

  #read(line: string): boolean {
    this.#open.push(line);
    return this.#row.push(line);
  }

  #isTooLong(): boolean {
    const most = this.#spare > 0 ? MAX_LINES_PER_ROW : 0;
    return this.#open.length > most || this.#row.length > MAX_RECORD_LENGTH;
  }

  /** Spreadsheets leave rows of empty cells below a table. */
  #finish(rows: CsvRow[]): void {
    const line = this.#line + 1;
    const { cells, length } = this.#row;
    this.#startAnew(this.#open.length);
    if (length > MAX_RECORD_LENGTH)
      rows.push({ line, refused: `the row is longer than ${MAX_RECORD_LENGTH} characters` });
    else if (cells.length > MAX_CELLS)
      rows.push({
        line,
        refused: `the row has over ${MAX_CELLS} cells: remove the columns that are not needed`,
      });
    else if (cells.some((cell) => cell !== '')) rows.push({ line, cells });
  }

  /** Puts back all lines but the first; `waiting` is a stack. */
  #refuse(waiting: string[]): CsvRow {
    if (this.#open.length > 1) {
      const again = this.#open.slice(1).toReversed();
      this.#spare -= costOf(again);
      waiting.push(...again);
    }
    this.#startAnew(1);
    return { line: this.#line, refused: 'a quoted cell is never closed: add the missing quote' };
  }

  #startAnew(lines: number): void {
    this.#line += lines;
    this.#open = [];
    this.#row = new RowReader(this.#delimiter);
  }
}

const costOf = (lines: readonly string[]): number =>
  lines.reduce((sum, { length }) => sum + length + LINE_COST, 0);

/** The cells of one row. A quote inside a cell that does not begin with one is an ordinary character. */
class RowReader {
  readonly cells: string[] = [];
  length = 0;
  readonly #delimiter: string;
  /** The contents so far of a quoted cell that continues in the next line. */
  #quoted: string | undefined;

  constructor(delimiter: string) {
    this.#delimiter = delimiter;
  }

  /** Returns whether the row ends with this line. */
  push(line: string): boolean {
    this.length += line.length;
    let at = 0;
    if (this.#quoted !== undefined) {
      this.#quoted += '\n';
      at = this.#readQuoted(line, 0);
    }
    while (this.#quoted === undefined && at <= line.length) at = this.#readCell(line, at);
    return this.#quoted === undefined;
  }

  #readCell(line: string, from: number): number {
    let start = from;
    while (line[start] === ' ') start += 1;
    if (line[start] === '"' && this.#delimiter !== '"') {
      this.#quoted = '';
      return this.#readQuoted(line, start + 1);
    }
    if (this.cells.length > MAX_CELLS) return line.length + 1;
    const end = this.#endOf(line, from);
    this.cells.push(line.slice(from, end).trim());
    return end + 1;
  }

  /**
   * A quote ends the cell before a delimiter or the end of the line; two are one; any other is an ordinary character.
   */
  #readQuoted(line: string, from: number): number {
    let start = from;
    for (let quote = line.indexOf('"', start); quote !== -1; quote = line.indexOf('"', start)) {
      this.#quoted += line.slice(start, quote);
      start = quote + 1;
      let after = start;
      while (line[after] === ' ') after += 1;
      if (line[start] === '"') start += 1;
      else if (after >= line.length || line[after] === this.#delimiter) {
        this.cells.push((this.#quoted ?? '').trim());
        this.#quoted = undefined;
        return after + 1;
      }
      this.#quoted += '"';
    }
    this.#quoted += line.slice(start);
    return line.length + 1;
  }

  #endOf(line: string, from: number): number {
    const end = line.indexOf(this.#delimiter, from);
    return end === -1 ? line.length : end;
  }
}

/** A spreadsheet takes such a cell for a formula, and runs it for whoever opens the file. */
const FORMULA = /^[=+\-@\t\r]/;
/** A number is none, whatever its sign: `-8.47`. */
const NUMBER = /^[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i;

/** Rows of a CSV file (RFC 4180), a line end after each. */
export const writeCsv = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => `${row.map(writeCell).join(',')}\r\n`).join('');

function writeCell(text: string): string {
  const inert = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
}
