import { type ReactNode, useEffect, useLayoutEffect, useMemo, useState } from 'react';
import { keep, kept } from '../app/kept.ts';
import { en } from './en.ts';
import { type Language, chooseLanguage, directionOf, withDigits } from './languages.ts';
import { loadMessages } from './load.ts';
import { type Messages, fill } from './messages.ts';
import { type Words, WordsContext } from './use-words.ts';

interface Spoken {
  language: Language;
  messages: Messages;
}

/** Nothing is shown before its words are there: a page that changes language before one's eyes is worse than a moment's wait. */
export function WordsProvider({ children }: { children: ReactNode }): ReactNode {
  const [wanted, setWanted] = useState(() => chooseLanguage(kept('language'), navigator.languages));
  const [spoken, setSpoken] = useState<Spoken | undefined>(
    wanted === 'en' ? { language: 'en', messages: en } : undefined,
  );
  useEffect(() => {
    let isWanted = true;
    const speak = (messages: Messages, language: Language): void => {
      if (isWanted) setSpoken({ language, messages });
    };
    loadMessages(wanted).then(
      (messages) => speak(messages, wanted),
      () => speak(en, 'en'),
    );
    return () => {
      isWanted = false;
    };
  }, [wanted]);
  // Before anything is seen: a page must not turn round before one's eyes either.
  useLayoutEffect(() => {
    if (!spoken) return;
    document.documentElement.lang = spoken.language;
    document.documentElement.dir = directionOf(spoken.language);
  }, [spoken]);
  const words = useMemo(() => spoken && wordsOf(spoken, setWanted), [spoken]);
  return words && <WordsContext value={words}>{children}</WordsContext>;
}

function wordsOf({ language, messages }: Spoken, setWanted: (language: Language) => void): Words {
  const locale = withDigits(language);
  return {
    language,
    locale,
    direction: directionOf(language),
    t: (key, values) => {
      const message = messages[key] ?? en[key];
      return values ? fill(message, values, locale) : message;
    },
    setLanguage: (next) => {
      keep('language', next);
      setWanted(next);
    },
  };
}
