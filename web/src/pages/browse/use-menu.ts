import type { Menu } from '@longwave/client';
import { type Answered, type Ask, prepareAnswer, useAnswer } from '../../directory/use-answer.ts';
import { askMenu } from '../../items/ask-menu.ts';
import type { Language } from '../../i18n/languages.ts';
import { useWords } from '../../i18n/use-words.ts';

const keyOf = (query: string): string => `browse ${query}`;
const ask = (query: string, language: Language): Ask<Menu> =>
  askMenu('/Browse.ashx', Object.fromEntries(new URLSearchParams(query)), language);

export const prepareMenu = (query: string, language: Language): Promise<void> =>
  prepareAnswer(keyOf(query), language, ask(query, language));

/** The menu that a radio gets for this query. */
export function useMenu(query: string): Answered<Menu> {
  const { language } = useWords();
  return useAnswer(keyOf(query), ask(query, language));
}
