import { startTransition, useState } from 'react';
import { useDirectory } from '../directory/use-directory.ts';
import { type Section, withPage } from './sections.ts';

export interface Paged {
  section: Section;
  /** Undefined where the list is at its end. */
  more: (() => void) | undefined;
  isWaiting: boolean;
  hasFailed: boolean;
  /** Where what came last begins. */
  newFrom: number | undefined;
}

interface Known {
  /** The list that these pages belong to; those of another are not shown. */
  first: Section;
  section: Section;
  state: 'still' | 'waiting' | 'failed';
  newFrom: number | undefined;
}

/** A list that goes on, a page at a time, when its reader says so. */
export function usePages(first: Section): Paged {
  const directory = useDirectory();
  const fresh: Known = { first, section: first, state: 'still', newFrom: undefined };
  const [last, setLast] = useState(fresh);
  const { section, state, newFrom } = last.first === first ? last : fresh;
  // What comes after its list was left belongs to nothing.
  const settle = (change: Partial<Known>): void =>
    setLast((known) => (known.first === first ? { ...known, ...change } : known));
  const more = (): void => {
    if (section.more === undefined || state === 'waiting') return;
    setLast({ first, section, newFrom, state: 'waiting' });
    directory.follow({ url: section.more, text: section.title ?? '' }).then(
      (page) =>
        startTransition(() =>
          settle({ state: 'still', section: withPage(section, page), newFrom: section.items.length }),
        ),
      () => settle({ state: 'failed' }),
    );
  };
  return {
    section,
    more: section.more === undefined ? undefined : more,
    isWaiting: state === 'waiting',
    hasFailed: state === 'failed',
    newFrom,
  };
}
