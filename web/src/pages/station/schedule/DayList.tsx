import { type ReactNode, useMemo, useState } from 'react';
import { Link } from 'wouter';
import { Button } from '../../../design/Button.tsx';
import { linkTo } from '../../../directory/link-to.ts';
import { clockIn } from '../../../items/local-format.ts';
import { useWords } from '../../../i18n/use-words.ts';
import { type Broadcast, isOn, isOver } from './day.ts';
import styles from './Schedule.module.css';

/** The shows of a day, beginning with the current one; earlier ones on request. */
export function DayList({ broadcasts, now }: { broadcasts: readonly Broadcast[]; now: number }): ReactNode {
  const { t, language } = useWords();
  const [isWhole, setIsWhole] = useState(false);
  const clock = useMemo(() => clockIn(language), [language]);
  const over = broadcasts.filter((broadcast) => isOver(broadcast, now)).length;
  const isAllOver = over === broadcasts.length;
  const shown = isWhole || isAllOver ? broadcasts : broadcasts.slice(over);
  return (
    <>
      {over > 0 && !isAllOver && (
        <Button
          kind="bare"
          className={styles['earlier'] ?? ''}
          aria-expanded={isWhole}
          onClick={() => setIsWhole(!isWhole)}
        >
          {t(isWhole ? 'station.hideEarlier' : 'station.earlier')}
        </Button>
      )}
      <ol className={styles['list']}>
        {shown.map((broadcast) => (
          <li key={broadcast.startsAt} data-on={isOn(broadcast, now) || undefined}>
            <time dateTime={new Date(broadcast.startsAt).toISOString()}>
              {clock.format(broadcast.startsAt)}
            </time>
            <Title broadcast={broadcast} />
            {isOn(broadcast, now) && <span className={styles['live']}>{t('station.onNow')}</span>}
          </li>
        ))}
      </ol>
    </>
  );
}

function Title({ broadcast: { showId, title } }: { broadcast: Broadcast }): ReactNode {
  const href = linkTo({ guideId: showId });
  return (
    <span>
      <bdi>{href === undefined ? title : <Link href={href}>{title}</Link>}</bdi>
    </span>
  );
}
