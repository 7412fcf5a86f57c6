import { type ReactNode, useEffect, useLayoutEffect, useMemo, useState } from 'react';
import { keep, kept } from '../app/kept.ts';
import { en } from './en.ts';
import {
  type Language,
  askedLanguage,
  chooseLanguage,
  directionOf,
  withDigits,
  withoutLanguage,
} from './languages.ts';
import { loadMessages } from './load.ts';
import { type Messages, fill } from './messages.ts';
import { type Words, WordsContext } from './use-words.ts';

export interface Spoken {
  language: Language;
  messages: Messages;
}

/** The language of the address, else the listener's own choice, else the browser's. */
export async function firstSpoken(): Promise<Spoken> {
  const chosen = askedLanguage(location.search) ?? kept('language');
  const language = chooseLanguage(chosen, navigator.languages);
  try {
    return { language, messages: await loadMessages(language) };
  } catch {
    return { language: 'en', messages: en };
  }
}

interface Props {
  first: Spoken;
  children: ReactNode;
}

export function WordsProvider({ first, children }: Props): ReactNode {
  const [wanted, setWanted] = useState(first.language);
  const [spoken, setSpoken] = useState(first);
  useEffect(() => {
    if (wanted === spoken.language) return undefined;
    let isWanted = true;
    const speak = (messages: Messages, language: Language): void => {
      if (isWanted) setSpoken({ language, messages });
    };
    loadMessages(wanted).then(
      (messages) => speak(messages, wanted),
      () => setWanted(spoken.language),
    );
    return () => {
      isWanted = false;
    };
  }, [wanted, spoken]);
  // Before anything is seen: a page must not turn round before one's eyes either.
  useLayoutEffect(() => {
    document.documentElement.lang = spoken.language;
    document.documentElement.dir = directionOf(spoken.language);
  }, [spoken]);
  const words = useMemo(() => wordsOf(spoken, setWanted), [spoken]);
  return <WordsContext value={words}>{children}</WordsContext>;
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
      // From now on the choice counts, also when the page is loaded again.
      const { pathname, search, hash } = location;
      history.replaceState(history.state, '', pathname + withoutLanguage(search) + hash);
      setWanted(next);
    },
  };
}
