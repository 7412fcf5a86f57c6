import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { Link } from 'wouter';
import { linkTo } from '../../directory/link-to.ts';
import { useAnswer } from '../../directory/use-answer.ts';
import { askMenu } from '../../items/ask-menu.ts';
import { LikeSong } from '../../items/LikeSong.tsx';
import { clockIn } from '../../items/local-format.ts';
import { type Song, songText } from '../../items/song.ts';
import { useWords } from '../../i18n/use-words.ts';
import type { Broadcast } from './day.ts';
import styles from './OnAir.module.css';
import { playedBefore, readPlayed } from '../../items/songs-played.ts';

interface Props {
  guideId: string;
  name: string;
  song: Song | undefined;
  /** By the schedule. */
  show: Broadcast | undefined;
}

/** What plays now, as it changes, and what played before. */
export function OnAir({ guideId, name, song, show }: Props): ReactNode {
  const { t } = useWords();
  const before = usePlayedBefore(guideId, song);
  return (
    <section className={styles['on-air']}>
      <h2>{t('station.now')}</h2>
      <div className={styles['now']} aria-live="polite">
        {song && <Playing song={song} />}
        {show && <OnNow show={show} />}
        {!song && !show && <p className={styles['unknown']}>{t('station.songUnknown')}</p>}
      </div>
      {song && (
        <p>
          <LikeSong song={song} station={{ guideId, name }} isLarge />
        </p>
      )}
      {before.length > 0 && <Before songs={before} />}
    </section>
  );
}

function Playing({ song: { title, artist } }: { song: Song }): ReactNode {
  return (
    <>
      <p className={styles['title']}>
        <bdi>{title}</bdi>
      </p>
      {artist !== undefined && (
        <p>
          <bdi>{artist}</bdi>
        </p>
      )}
    </>
  );
}

function OnNow({ show: { showId, title, endsAt } }: { show: Broadcast }): ReactNode {
  const { t, language } = useWords();
  const href = linkTo({ guideId: showId });
  return (
    <p className={styles['show']}>
      <bdi>{href === undefined ? title : <Link href={href}>{title}</Link>}</bdi>{' '}
      <span className={styles['unknown']}>
        {t('station.until', { time: clockIn(language).format(endsAt) })}
      </span>
    </p>
  );
}

function Before({ songs }: { songs: readonly Song[] }): ReactNode {
  const { t, language } = useWords();
  const clock = useMemo(() => clockIn(language), [language]);
  return (
    <>
      <h3>{t('station.before')}</h3>
      <ol className={styles['before']}>
        {songs.map((song, at) => (
          <li key={`${at} ${song.title}`}>
            <time>{song.startedAt === undefined ? '' : clock.format(song.startedAt)}</time>
            <span>
              <bdi>{songText(song)}</bdi>
            </span>
          </li>
        ))}
      </ol>
    </>
  );
}

function usePlayedBefore(guideId: string, now: Song | undefined): Song[] {
  const { language } = useWords();
  const [heard, setHeard] = useState<readonly Song[]>([]);
  const offset = -new Date().getTimezoneOffset();
  const params = { c: 'playlist', id: guideId, offset };
  const { value } = useAnswer(`playlist ${guideId}`, askMenu('/Browse.ashx', params, language));
  useEffect(() => {
    if (now) setHeard((songs) => [now, ...songs].slice(0, 20));
  }, [now]);
  return useMemo(
    () => playedBefore(now, heard, value ? readPlayed(value.outlines, offset) : []),
    [now, heard, value, offset],
  );
}
