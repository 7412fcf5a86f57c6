import { useMemo } from 'react';
import { guessedCountry } from '../../directory/first-call.ts';
import { type Answered, useAnswer } from '../../directory/use-answer.ts';
import { askMenu } from '../../items/ask-menu.ts';
import { useWords } from '../../i18n/use-words.ts';
import type { Item } from '../../items/item.ts';
import { sectionsOf } from '../../items/sections.ts';

const SHOWN = 9;

/** The most popular stations, those of the listener's country first. */
export function usePopular(): Answered<readonly Item[]> {
  const { language } = useWords();
  const params = { c: 'popular', country: guessedCountry() };
  const { value: menu, ...rest } = useAnswer('popular', askMenu('/Browse.ashx', params, language));
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
