import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { Button } from '../../design/Button.tsx';
import chip from '../../items/chip.module.css';
import type { Item } from '../../items/item.ts';
import { useWords } from '../../i18n/use-words.ts';
import styles from './Browse.module.css';

/** As many as leave the stations in view. */
const FIRST = 8;
/** A button for less than that is longer than what it hides. */
const WORTH_HIDING = 3;

/** Menus whose ways were all shown: who comes back to one finds it so. */
const opened = new Set<string>();

interface Props {
  query: string;
  ways: readonly Item[];
  linkState: object;
}

/** Smaller places or finer genres, above the stations. */
export function Ways({ query, ways, linkState }: Props): ReactNode {
  const { t } = useWords();
  const [isWhole, setIsWhole] = useState(() => opened.has(query));
  if (ways.length === 0) return null;
  const isAll = isWhole || ways.length < FIRST + WORTH_HIDING;
  const showAll = (): void => {
    opened.add(query);
    setIsWhole(true);
  };
  return (
    <nav className={styles['ways']} aria-label={t('home.ways')}>
      {(isAll ? ways : ways.slice(0, FIRST)).map(({ key, name, href = '/browse' }) => (
        <Link key={key} href={href} state={linkState} className={chip['chip']}>
          <bdi>{name}</bdi>
        </Link>
      ))}
      {!isAll && (
        <Button kind="bare" onClick={showAll}>
          {t('list.showAll', { count: ways.length })}
        </Button>
      )}
    </nav>
  );
}
