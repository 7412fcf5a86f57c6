import { createContext, useContext } from 'react';
import type { Language } from './languages.ts';
import type { MessageKey, Values } from './messages.ts';

export interface Words {
  readonly language: Language;
  /** For numbers, dates and times. */
  readonly locale: string;
  readonly direction: 'ltr' | 'rtl';
  /** `t('home.nearYou')`, `t('player.sleepIn', { minutes: 30 })`. */
  t: (key: MessageKey, values?: Values) => string;
  setLanguage: (language: Language) => void;
}

export const WordsContext = createContext<Words | undefined>(undefined);

/** What the site says, in the listener's language. */
export function useWords(): Words {
  const words = useContext(WordsContext);
  if (!words) throw new Error('useWords() stands outside of <WordsProvider>');
  return words;
}
