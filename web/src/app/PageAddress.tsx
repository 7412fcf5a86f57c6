import { type ReactNode, createContext, useContext, useDeferredValue } from 'react';
import { Router } from 'wouter';
import { navigate, useHistoryState, usePathname, useSearch } from 'wouter/use-browser-location';

const Path = createContext('/');
const Search = createContext('');
const State = createContext<unknown>(null);

/**
 * What pages take for the address: behind the browser's own by as long as a page takes to draw. A key or click changes
 * the header at once; the page before it is left as it is, and the next one is drawn in pieces between further keys.
 */
export function PageAddress({ base, children }: { base: string; children: ReactNode }): ReactNode {
  const path = useDeferredValue(usePathname());
  const search = useDeferredValue(useSearch());
  const state = useDeferredValue<unknown>(useHistoryState());
  return (
    <Path value={path}>
      <Search value={search}>
        <State value={state}>
          <Router base={base} hook={usePagePath} searchHook={usePageSearch}>
            {children}
          </Router>
        </State>
      </Search>
    </Path>
  );
}

const usePagePath = (): [string, typeof navigate] => [useContext(Path), navigate];
const usePageSearch = (): string => useContext(Search);

/** What went along with the link to this page. */
export const usePageState = (): unknown => useContext(State);
