/** One line of somebody's list: an address and whatever the list says about it. */
export interface PlaylistEntry {
  address: string;
  name?: string;
  group?: string;
  logo?: string;
  /** Everything else the list says, by lower-case name. */
  attributes: ReadonlyMap<string, string>;
}

export const MAX_ENTRIES = 200_000;
export const MAX_LINE_LENGTH = 16_384;
export const MAX_ATTRIBUTES = 64;

/**
 * Lines of a list without the byte order mark and the spaces around. A lone carriage return ends a line too, which old
 * editors still write; a line too long to be one entry is left out.
 */
export function listLines(text: string): string[] {
  const lines = text.replace(/^\ufeff/, '').split(/\r\n|\r|\n/);
  return lines.filter((line) => line.length <= MAX_LINE_LENGTH).map((line) => line.trim());
}
