import { type ReactNode, createContext, useContext, useDeferredValue } from 'react';
import { Router } from 'wouter';
import { navigate, useHistoryState, usePathname, useSearch } from 'wouter/use-browser-location';

const Path = createContext('/');
const Search = createContext('');
const State = createContext<unknown>(null);

/**
 * The address that pages render, deferred behind the browser's own. A key or click changes the header immediately; the
 * old page stays, and the next one renders in chunks between further input.
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

/** The history state of the link to this page. */
export const usePageState = (): unknown => useContext(State);
