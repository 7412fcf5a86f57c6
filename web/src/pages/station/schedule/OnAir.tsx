import { type ReactNode, useEffect, useState } from 'react';
import { Link } from 'wouter';
import { linkTo } from '../../../directory/link-to.ts';
import { LikeSong } from '../../../items/songs/LikeSong.tsx';
import { clockIn } from '../../../items/local-format.ts';
import { PlayedSongs } from '../../../items/songs/PlayedSongs.tsx';
import type { Song } from '../../../items/songs/song.ts';
import { usePlayedBefore } from '../../../items/songs/use-played-before.ts';
import { useWords } from '../../../i18n/use-words.ts';
import type { Broadcast } from './day.ts';
import styles from './OnAir.module.css';

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
  const before = usePlayedBefore(guideId, song, useHeard(song));
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
      {before.length > 0 && (
        <>
          <h3>{t('station.before')}</h3>
          <PlayedSongs songs={before} />
        </>
      )}
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

/** What this page was told while it was open. */
function useHeard(now: Song | undefined): readonly Song[] {
  const [heard, setHeard] = useState<readonly Song[]>([]);
  useEffect(() => {
    if (now) setHeard((songs) => [now, ...songs].slice(0, 20));
  }, [now]);
  return heard;
}
