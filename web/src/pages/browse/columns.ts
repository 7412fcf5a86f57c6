import { browseLink } from '../../directory/link-to.ts';

/** As many as one remembers having opened; a tree of the directory is less deep. */
const MOST = 12;

/** The query of a column, in one form for each menu whatever the address said beside it; '' is the index. */
export const queryOf = (search: string): string =>
  browseLink(new URLSearchParams(search)).replace(/^\/browse\??/, '');

export const addressOf = (query: string): string => (query === '' ? '/browse' : `/browse?${query}`);

/**
 * The columns for an address, from the index to what it names. How one came there is in the history's state; an address
 * that somebody shared says only where it leads.
 */
export function columnsTo(query: string, state: unknown): string[] {
  const came = cameBy(state).filter((step) => step !== '' && step !== query);
  return query === '' ? [''] : ['', ...came, query];
}

/** What goes along with a link in one of the columns. */
export const cameThrough = (columns: readonly string[], at: number): { browsed: string[] } => ({
  browsed: columns.slice(0, at + 1).filter((query) => query !== ''),
});

function cameBy(state: unknown): string[] {
  if (typeof state !== 'object' || state === null || !('browsed' in state)) return [];
  const { browsed } = state;
  return Array.isArray(browsed) ? browsed.filter((step) => typeof step === 'string').slice(-MOST) : [];
}
