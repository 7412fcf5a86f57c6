/** A spreadsheet takes a cell that begins so for a formula, and runs it for whoever opens the file. */
const FORMULA = /^[=+\-@\t\r]/;

/** Rows of a CSV file (RFC 4180), a line end after each. */
export const writeCsv = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => `${row.map(writeCell).join(',')}\r\n`).join('');

function writeCell(text: string): string {
  const inert = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
}
