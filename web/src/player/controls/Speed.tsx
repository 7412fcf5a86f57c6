import type { ReactNode } from 'react';
import { SPEEDS, speedOf, withSpeed } from '../../saved/podcast-lists.ts';
import { saved, useSaved } from '../../saved/saved.ts';
import { withDigits } from '../../i18n/languages.ts';
import { useWords } from '../../i18n/use-words.ts';
import styles from './Speed.module.css';

/** How fast a show is played: the browser's own select, kept for the show. */
export function Speed({ showId }: { showId: string }): ReactNode {
  const { t, language } = useWords();
  const speed = speedOf(useSaved().shows, showId);
  const format = new Intl.NumberFormat(withDigits(language), { maximumFractionDigits: 2 });
  const choose = (next: number): void =>
    void saved.change('shows', (shows) => withSpeed(shows, showId, next));
  return (
    <select
      className={styles['speed']}
      aria-label={t('player.speed')}
      title={t('player.speed')}
      data-on={speed !== 1 || undefined}
      value={speed}
      onChange={({ target }) => choose(Number(target.value))}
    >
      {SPEEDS.map((each) => (
        <option key={each} value={each}>
          {format.format(each)}×
        </option>
      ))}
    </select>
  );
}
