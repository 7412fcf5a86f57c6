import { useEffect } from 'react';

/** The page's title in the browser; the site's name until the page sets one. */
export function usePageTitle(title: string | undefined): void {
  useEffect(() => {
    document.title = title === undefined || title === 'Longwave' ? 'Longwave' : `${title} · Longwave`;
  }, [title]);
}
