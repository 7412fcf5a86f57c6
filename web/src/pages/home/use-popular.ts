import type { Menu } from '@longwave/client';
import { useMemo } from 'react';
import { guessedCountry } from '../../directory/first-call.ts';
import { type Answered, type Ask, prepareAnswer, useAnswer } from '../../directory/use-answer.ts';
import { askMenu } from '../../items/ask-menu.ts';
import type { Language } from '../../i18n/languages.ts';
import { useWords } from '../../i18n/use-words.ts';
import type { Item } from '../../items/item.ts';
import { sectionsOf } from '../../items/lists/sections.ts';

const SHOWN = 9;

const KEY = 'popular';
const ask = (language: Language): Ask<Menu> =>
  askMenu('/Browse.ashx', { c: 'popular', country: guessedCountry() }, language);

export const preparePopular = (language: Language): Promise<void> =>
  prepareAnswer(KEY, language, ask(language));

/** The most popular stations, those of the listener's country first. */
export function usePopular(): Answered<readonly Item[]> {
  const { language } = useWords();
  const { value: menu, ...rest } = useAnswer(KEY, ask(language));
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
