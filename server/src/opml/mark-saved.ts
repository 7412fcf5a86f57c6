import { type ByteText, byteText } from './byte-text.ts';

/** The guide IDs of what somebody has saved. */
export type SavedIds = ReadonlySet<string>;

// Of a line that says nothing of it yet, `preset_id` is the last that is said.
const XML_LINE = / preset_id="([sp]\d+)"(?=\/?>)/g;
const JSON_LINE = /"preset_id":"([sp]\d+)"(?=\})/g;
const XML_MARK = byteText(' is_preset="true"');
const JSON_MARK = byteText(',"is_preset":"true"');

/**
 * A list in which what somebody has saved says so. Done to what is written already, so that the same menu can be kept for
 * all callers; what is put in is ASCII, so that every byte may be taken for a letter.
 */
export function markSaved(
  body: Buffer | ByteText,
  notation: 'xml' | 'json',
  saved: SavedIds,
): Buffer | ByteText {
  const text = typeof body === 'string' ? body : body.toString('latin1');
  const [line, mark] = notation === 'xml' ? [XML_LINE, XML_MARK] : [JSON_LINE, JSON_MARK];
  const marked = text.replaceAll(line, (whole, id: string) => (saved.has(id) ? whole + mark : whole));
  return marked.length === text.length ? body : Buffer.from(marked, 'latin1');
}
