import { type KeyboardEvent, type ReactNode, useEffect, useId, useState } from 'react';
import { Field } from '../../design/Field.tsx';
import { useWords } from '../../i18n/use-words.ts';
import styles from './PlaceField.module.css';
import { type Place, suggestPlaces } from '../calls/place-calls.ts';
import { writePlace } from './place-choice.ts';
import { useSite } from '../use-site.ts';

/** The pause between two keys of somebody typing. */
const PAUSE_MS = 150;
const MIN_LENGTH = 2;

const NONE: readonly Place[] = [];

interface Props {
  label?: string;
  isOptional?: boolean;
  text: string;
  fault?: string | undefined;
  hint?: string;
  /** The typed text, and the place that was chosen for it, if any. */
  onChange: (text: string, place: Place | undefined) => void;
}

/** A town, suggested while typing: arrow keys move through the suggestions, Enter takes one. */
export function PlaceField({ label, isOptional = false, text, fault, hint, onChange }: Props): ReactNode {
  const { t, language } = useWords();
  const id = useId();
  const [isOpen, setIsOpen] = useState(false);
  const [marked, setMarked] = useState(0);
  const places = usePlaces(isOpen ? text : '');
  const isShown = isOpen && places.length > 0;
  const take = (place: Place): void => {
    onChange(writePlace(place, language), place);
    setIsOpen(false);
  };
  const onKey = (event: KeyboardEvent): void => {
    const place = places[marked];
    if (!isShown) return;
    if (event.key === 'ArrowDown') setMarked((at) => Math.min(at + 1, places.length - 1));
    else if (event.key === 'ArrowUp') setMarked((at) => Math.max(at - 1, 0));
    else if (event.key === 'Escape') setIsOpen(false);
    else if (event.key === 'Enter' && place) take(place);
    else return;
    event.preventDefault();
  };
  return (
    <div className={styles['place']}>
      <Field
        label={label ?? t('account.place')}
        {...(hint === undefined ? {} : { hint })}
        fault={fault}
        value={text}
        role="combobox"
        aria-expanded={isShown}
        aria-controls={`${id}-places`}
        aria-autocomplete="list"
        aria-activedescendant={isShown ? `${id}-${marked}` : undefined}
        autoComplete="off"
        spellCheck={false}
        required={!isOptional}
        onChange={({ target }) => {
          setIsOpen(true);
          setMarked(0);
          onChange(target.value, undefined);
        }}
        onKeyDown={onKey}
        onBlur={() => {
          const [first] = places;
          // Leaving the field without choosing takes the first suggestion; the field then shows it.
          if (isShown && first) take(first);
        }}
      />
      <ul id={`${id}-places`} role="listbox" aria-label={t('account.placesFound')} hidden={!isShown}>
        {places.map((place, at) => (
          <li
            key={place.id}
            id={`${id}-${at}`}
            role="option"
            aria-selected={at === marked}
            // Before the field loses the focus, which would take the first suggestion.
            onPointerDown={(event) => {
              event.preventDefault();
              take(place);
            }}
          >
            {writePlace(place, language)}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The towns for the typed text, requested at pauses in typing. */
function usePlaces(text: string): readonly Place[] {
  const wanted = text.trim();
  const [asked, setAsked] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setAsked(wanted), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [wanted]);
  const key = asked.length >= MIN_LENGTH && asked === wanted ? asked : undefined;
  return useSite(key, (signal) => suggestPlaces(asked, signal)).value ?? NONE;
}
