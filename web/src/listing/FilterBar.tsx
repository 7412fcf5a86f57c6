import type { ReactNode } from 'react';
import { useLocation, useSearch } from 'wouter';
import { Button } from '../design/Button.tsx';
import { useWords, type Words } from '../i18n/use-words.ts';
import { FILTERS, type FilterName, isNarrowed, withChosen } from './filters.ts';
import type { Option } from './listing-calls.ts';
import styles from './Listing.module.css';
import type { Listing } from './use-listing.ts';

/** Narrows a list down. What is chosen is in the address; each option says how many stations it leaves. */
export function FilterBar({ listing: { listed, chosen } }: { listing: Listing }): ReactNode {
  const { t } = useWords();
  const [path, go] = useLocation();
  const search = useSearch();
  const choose = (change: Partial<Record<FilterName, string>>): void =>
    go(`${path}?${withChosen(search, { ...chosen, ...change })}`, { replace: true, state: history.state });
  const shown = FILTERS.map((name) => ({ name, options: listed?.filters?.[name] ?? [] })).filter(
    ({ name, options }) => options.length > 1 || chosen[name] !== undefined,
  );
  if (shown.length === 0) return null;
  return (
    <div className={styles['filters']} role="group" aria-label={t('list.filters')}>
      {shown.map(({ name, options }) => (
        <Filter
          key={name}
          name={name}
          options={options}
          chosen={chosen[name]}
          onChange={(option) => choose({ [name]: option })}
        />
      ))}
      {isNarrowed(chosen) && (
        <Button kind="bare" onClick={() => choose(Object.fromEntries(FILTERS.map((name) => [name, ''])))}>
          {t('list.clear')}
        </Button>
      )}
    </div>
  );
}

interface FilterProps {
  name: FilterName;
  options: readonly Option[];
  chosen: string | undefined;
  onChange: (option: string) => void;
}

function Filter({ name, options, chosen, onChange }: FilterProps): ReactNode {
  const { t, language } = useWords();
  const textOf = (option: Option): string =>
    `${nameOf(option, name, t)} (${option.count.toLocaleString(language)})`;
  const isOffered = chosen === undefined || options.some(({ id }) => id === chosen);
  return (
    <label className={styles['filter']} data-chosen={chosen !== undefined || undefined}>
      <span>{t(`list.${name}`)}</span>
      <select value={chosen ?? ''} onChange={({ target }) => onChange(target.value)}>
        <option value="">{t('list.all')}</option>
        {/* Of an address that somebody shared: nothing is left of it here. */}
        {!isOffered && <option value={chosen}>{`${chosen} (0)`}</option>}
        {name === 'quality' ? byRate(options).map(toOption(textOf)) : grouped(options, textOf)}
      </select>
    </label>
  );
}

function nameOf({ id, name }: Option, filter: FilterName, t: Words['t']): string {
  if (filter !== 'quality') return name ?? id;
  const kbits = Number.parseInt(id, 10);
  return id.endsWith('-') ? t('list.atMost', { kbits }) : t('list.atLeast', { kbits });
}

/** From the best to the smallest. */
const byRate = (options: readonly Option[]): Option[] =>
  options.toSorted((a, b) => Number.parseInt(b.id, 10) - Number.parseInt(a.id, 10));

const toOption = (textOf: (option: Option) => string) => (option: Option) => (
  <option key={option.id} value={option.id}>
    {textOf(option)}
  </option>
);

/** Kinds with those that are of them; countries and languages have none, and are as they come: the most stations first. */
function grouped(options: readonly Option[], textOf: (option: Option) => string): ReactNode {
  const tops = options.filter(({ of }) => of === undefined);
  return tops.map((top) => {
    const inside = options.filter(({ of }) => of === top.id);
    if (inside.length === 0) return toOption(textOf)(top);
    return (
      <optgroup key={top.id} label={top.name ?? top.id}>
        {[top, ...inside].map(toOption(textOf))}
      </optgroup>
    );
  });
}
