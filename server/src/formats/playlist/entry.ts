import { withLineFeeds } from '../line-feeds.ts';

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
/** As long as the longest address that is imported; an entry's name and logo need less. */
export const MAX_LINE_LENGTH = 2048;
export const MAX_ATTRIBUTES = 64;

/**
 * Lines of a list without the byte order mark and the spaces around. A lone carriage return ends a line too, which old
 * editors still write; empty lines, and those too long to be one entry, are left out.
 */
export function listLines(text: string): string[] {
  const lines = withLineFeeds(text.replace(/^\ufeff/, '')).split('\n');
  return lines.filter((line) => line !== '' && line.length <= MAX_LINE_LENGTH).map((line) => line.trim());
}
