import { type RefObject, useEffect } from 'react';

/**
 * Arrow keys move from the search field through the results and back, as in one list; Enter in the field moves to the
 * first. The focused element is a button or a link, so that Enter does there what it always does.
 */
export function useArrowKeys(results: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.isComposing || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
      const next = nextControl(event, results.current);
      if (!next) return;
      event.preventDefault();
      next.focus();
      next.scrollIntoView({ block: 'nearest' });
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, [results]);
}

function nextControl(
  { key, target }: KeyboardEvent,
  results: HTMLElement | null,
): HTMLElement | null | undefined {
  if (!results || !(target instanceof HTMLElement)) return undefined;
  const rows = [...results.querySelectorAll('li')];
  if (target.matches('input[type="search"]'))
    return key === 'ArrowDown' || key === 'Enter' ? controlOf(rows[0]) : undefined;
  const at = rows.findIndex((row) => row.contains(target));
  if (at === -1) return undefined;
  if (key === 'ArrowDown') return controlOf(rows[at + 1]);
  if (key !== 'ArrowUp') return undefined;
  return at === 0 ? document.querySelector<HTMLElement>('input[type="search"]') : controlOf(rows[at - 1]);
}

/** The main control of a result: it plays or opens it. */
const controlOf = (row: Element | undefined): HTMLElement | null | undefined =>
  row?.querySelector<HTMLElement>('button') ?? row?.querySelector<HTMLElement>('a');
