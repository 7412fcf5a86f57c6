import type { ReactNode } from 'react';
import { hostOf } from '../../items/web-address.ts';
import { useWords } from '../../i18n/use-words.ts';
import styles from './Station.module.css';
import type { StationFacts } from './station-facts.ts';

export function About({ facts: { description, homepage } }: { facts: StationFacts }): ReactNode {
  const { t } = useWords();
  if (description === undefined && homepage === undefined) return null;
  return (
    <section className={styles['about']}>
      <h2>{t('station.about')}</h2>
      {description !== undefined && <p dir="auto">{description}</p>}
      {homepage !== undefined && (
        <p>
          <a href={homepage} rel="noopener noreferrer nofollow" target="_blank">
            {hostOf(homepage)}
          </a>
        </p>
      )}
    </section>
  );
}
