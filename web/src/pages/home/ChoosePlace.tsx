import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Button } from '../../design/Button.tsx';
import { Dialog } from '../../design/Dialog.tsx';
import { Field } from '../../design/Field.tsx';
import { askSite } from '../../session/calls/api.ts';
import { useSite } from '../../session/use-site.ts';
import { useWords } from '../../i18n/use-words.ts';
import { type ChosenPlace, readPlaces } from './chosen-place.ts';
import styles from './Home.module.css';

interface Props {
  place: ChosenPlace | undefined;
  onChoose: (place: ChosenPlace | undefined) => void;
  onClose: () => void;
}

/** A town by name, or the location of the connection. Stored in this browser only. */
export function ChoosePlace({ place, onChoose, onClose }: Props): ReactNode {
  const { t } = useWords();
  const [text, setText] = useState('');
  const { found, hasFailed } = useFound(text);
  const field = useRef<HTMLInputElement>(null);
  // A dialog focuses its first button when it opens; the field should come first.
  useEffect(() => field.current?.focus(), []);
  const take = (chosen: ChosenPlace | undefined): void => {
    onChoose(chosen);
    onClose();
  };
  return (
    <Dialog title={t('home.whereTitle')} onClose={onClose}>
      <form
        className={styles['choose']}
        onSubmit={(event) => {
          event.preventDefault();
          const [first] = found ?? [];
          if (first) take(first);
        }}
      >
        <Field
          label={t('home.placeField')}
          hint={t('home.placeHint')}
          fault={hasFailed ? t('home.placeFailed') : found?.length === 0 ? t('home.placeNone') : undefined}
          value={text}
          onChange={({ target }) => setText(target.value)}
          autoComplete="off"
          ref={field}
        />
        <ul>
          {found?.map((candidate) => (
            <li key={candidate.id}>
              <Button kind="bare" onClick={() => take(candidate)}>
                {candidate.name}
              </Button>
            </li>
          ))}
        </ul>
        {place && <Button onClick={() => take(undefined)}>{t('home.placeByItself')}</Button>}
      </form>
    </Dialog>
  );
}

/** Undefined until there is an answer for the typed text. */
function useFound(text: string): { found: ChosenPlace[] | undefined; hasFailed: boolean } {
  const wanted = text.trim();
  const [asked, setAsked] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setAsked(wanted), 150);
    return () => clearTimeout(timer);
  }, [wanted]);
  const key = asked.length >= 2 && asked === wanted ? `places ${asked}` : undefined;
  const { value, error } = useSite(key, async (signal) =>
    readPlaces(await askSite(`places?text=${encodeURIComponent(asked)}`, { signal })),
  );
  return { found: value, hasFailed: error !== undefined };
}
