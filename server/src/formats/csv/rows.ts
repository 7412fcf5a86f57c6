/** One row of a table, or why a line of it is none; lines are counted from 1. */
export type CsvRow = { line: number; cells: string[] } | { line: number; refused: string };

export const MAX_RECORD_LENGTH = 64 * 1024;
/** A cell may hold line ends, but a quote that was forgotten must not take the rest of the file with it. */
const MOST_LINES_A_ROW = 30;
/** What a line costs beside its letters, in letters. */
const LINE_COST = 20;

/** More than any table has of use here; a line of nothing but delimiters would be thousands. */
const MOST_CELLS = 1000;

const DELIMITERS = [',', ';', '\t', '|'];
/** What Excel is told by, and writes, where a comma is part of numbers. */
const SAYS_DELIMITER = /^"?sep=(.)"?[,;\t|]*$/i;

/** The delimiter that the first lines say or use, and how many lines go before the heading. */
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
 * Reads a table line by line. A row whose quote never closes is refused alone: what was taken for the rest of it is read
 * again as rows of its own. Only an eighth may be read again: in a table of nothing but such quotes each line
 * would be read thirty times.
 */
export class CsvRows {
  readonly #delimiter: string;
  /** The lines of the row that is being read. */
  #open: string[] = [];
  #row: RowReader;
  #line: number;
  /** How much may still be read again; without any, a row ends with its line. */
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

  /** The next one last. */
  #take(waiting: string[]): CsvRow[] {
    const rows: CsvRow[] = [];
    for (let line = waiting.pop(); line !== undefined; line = waiting.pop()) {
      if (this.#open.length === 0 && line.trim() === '') this.#line += 1;
      else if (this.#read(line)) this.#finish(rows);
      else if (this.#isTooLong()) rows.push(this.#refuse(waiting));
    }
    return rows;
  }

  /** What is still open at the end. */
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
    const most = this.#spare > 0 ? MOST_LINES_A_ROW : 0;
    return this.#open.length > most || this.#row.length > MAX_RECORD_LENGTH;
  }

  /** Rows of empty cells are what spreadsheets leave below a table. */
  #finish(rows: CsvRow[]): void {
    const line = this.#line + 1;
    const { cells, length } = this.#row;
    this.#startAnew(this.#open.length);
    if (length > MAX_RECORD_LENGTH)
      rows.push({ line, refused: `the row is longer than ${MAX_RECORD_LENGTH} characters` });
    else if (cells.length > MOST_CELLS)
      rows.push({
        line,
        refused: `the row has over ${MOST_CELLS} cells: leave out the columns that say nothing`,
      });
    else if (cells.some((cell) => cell !== '')) rows.push({ line, cells });
  }

  /** Gives back all lines but the first, the next one last. */
  #refuse(waiting: string[]): CsvRow {
    if (this.#open.length > 1) {
      const again = this.#open.slice(1).toReversed();
      this.#spare -= costOf(again);
      waiting.push(...again);
    }
    this.#startAnew(1);
    return { line: this.#line, refused: 'a quote never closes: close it' };
  }

  #startAnew(lines: number): void {
    this.#line += lines;
    this.#open = [];
    this.#row = new RowReader(this.#delimiter);
  }
}

const costOf = (lines: readonly string[]): number =>
  lines.reduce((sum, { length }) => sum + length + LINE_COST, 0);

/** The cells of one row. A quote inside of a cell that does not begin with one is a sign like any other. */
class RowReader {
  readonly cells: string[] = [];
  length = 0;
  readonly #delimiter: string;
  /** What a quoted cell that goes on in the next line holds so far. */
  #quoted: string | undefined;

  constructor(delimiter: string) {
    this.#delimiter = delimiter;
  }

  /** Whether the row ends with this line. */
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
    if (this.cells.length > MOST_CELLS) return line.length + 1;
    const end = this.#endOf(line, from);
    this.cells.push(line.slice(from, end).trim());
    return end + 1;
  }

  /** A quote ends the cell where the delimiter or the end of the line follows; two of them are one; else it is a sign. */
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
