import { browseLink } from '../../directory/link-to.ts';
import { isFilterParam } from '../../listing/filters.ts';

/** As many as people remember opening; the directory's tree is less deep. */
const MAX = 12;

/** The normalised query of a column, whatever else the address had; '' is the index. */
export function queryOf(search: string): string {
  const own = [...new URLSearchParams(search)].filter(([name]) => !isFilterParam(name));
  return browseLink(new URLSearchParams(own)).replace(/^\/browse\??/, '');
}

export const addressOf = (query: string): string => (query === '' ? '/browse' : `/browse?${query}`);

/**
 * The columns for an address, from the index to the open menu. The path is in the history's state; a shared address
 * has only its destination.
 */
export function columnsTo(query: string, state: unknown): string[] {
  const came = cameBy(state).filter((step) => step !== '' && step !== query);
  return query === '' ? [''] : ['', ...came, query];
}

/** The history state for a link in one of the columns. */
export const cameThrough = (columns: readonly string[], at: number): { browsed: string[] } => ({
  browsed: columns.slice(0, at + 1).filter((query) => query !== ''),
});

function cameBy(state: unknown): string[] {
  if (typeof state !== 'object' || state === null || !('browsed' in state)) return [];
  const { browsed } = state;
  return Array.isArray(browsed) ? browsed.filter((step) => typeof step === 'string').slice(-MAX) : [];
}
