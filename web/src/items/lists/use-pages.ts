import { startTransition, useState } from 'react';
import { useDirectory } from '../../directory/use-directory.ts';
import { type Section, withPage } from './sections.ts';

export interface Paged {
  section: Section;
  /** Undefined at the end of the list. */
  more: (() => void) | undefined;
  isWaiting: boolean;
  hasFailed: boolean;
  /** The index of the first new item. */
  newFrom: number | undefined;
}

interface Known {
  /** The list that these pages belong to; pages of another list are not shown. */
  first: Section;
  section: Section;
  state: 'still' | 'waiting' | 'failed';
  newFrom: number | undefined;
}

/** A list that loads further pages on request. */
export function usePages(first: Section): Paged {
  const directory = useDirectory();
  const fresh: Known = { first, section: first, state: 'still', newFrom: undefined };
  const [last, setLast] = useState(fresh);
  const { section, state, newFrom } = last.first === first ? last : fresh;
  // An answer for a list that was left is dropped.
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
