import { useMemo } from 'react';
import { type Answered, useAnswer } from '../../directory/use-answer.ts';
import type { Item } from '../../items/item.ts';
import { sectionsOf } from '../../items/sections.ts';

const SHOWN = 9;

/** The most popular stations. */
export function usePopular(): Answered<readonly Item[]> {
  const { value: menu, ...rest } = useAnswer('popular', (directory, call) =>
    directory.browse.category('popular', call),
  );
  const value = useMemo(
    () =>
      menu &&
      sectionsOf(menu)
        .flatMap(({ items }) => items.filter(isStation))
        .slice(0, SHOWN),
    [menu],
  );
  return { ...rest, value };
}

const isStation = ({ kind }: Item): boolean => kind === 'station';
