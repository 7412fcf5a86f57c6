import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { useLocation, useRoute, useSearch } from 'wouter';
import { Dial } from '../../design/Dial.tsx';
import { Sign } from '../../design/Sign.tsx';
import { useWords } from '../../i18n/use-words.ts';
import styles from './SearchField.module.css';

/** This many letters make a full sweep of the needle. */
const WHOLE_SWEEP = 24;

/** In every page's header. The address changes with every key, and the search page follows it. */
export function SearchField(): ReactNode {
  const { t } = useWords();
  const [isSearching] = useRoute('/search');
  const [, go] = useLocation();
  const asked = new URLSearchParams(useSearch()).get('q') ?? '';
  const [text, setText] = useState(isSearching ? asked : '');
  const field = useSlashKey();
  useEffect(() => setText(isSearching ? asked : ''), [isSearching, asked]);
  const ask = (next: string): void => {
    setText(next);
    if (isSearching || next.trim() !== '') go(searchAddress(next), { replace: isSearching });
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    go(searchAddress(text), { replace: isSearching });
  };
  return (
    <search className={styles['search']}>
      <form action="/listen/search" onSubmit={submit}>
        <Sign name="search" size={20} />
        <input
          ref={field}
          type="search"
          name="q"
          value={text}
          onChange={(event) => ask(event.target.value)}
          aria-label={t('shell.search')}
          placeholder={t('shell.search')}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          enterKeyHint="search"
          maxLength={200}
        />
      </form>
      <Dial kind="line" at={Math.min(1, 0.04 + text.length / WHOLE_SWEEP)} />
    </search>
  );
}

const searchAddress = (text: string): string => `/search?${new URLSearchParams({ q: text }).toString()}`;

/** The `/` key focuses the search field, as on many sites, unless something is being typed. */
function useSlashKey(): React.RefObject<HTMLInputElement | null> {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const isTyping = event.target instanceof HTMLElement && event.target.matches('input, textarea, select');
      if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      field.current?.focus();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
  return field;
}
