import type { Menu } from '@longwave/client';
import { type Answered, useAnswer } from '../../directory/use-answer.ts';
import { askMenu } from '../../items/ask-menu.ts';
import { useWords } from '../../i18n/use-words.ts';

/** The menu that a radio gets for this query. */
export function useMenu(query: string): Answered<Menu> {
  const { language } = useWords();
  const params = Object.fromEntries(new URLSearchParams(query));
  return useAnswer(`browse ${query}`, askMenu('/Browse.ashx', params, language));
}
