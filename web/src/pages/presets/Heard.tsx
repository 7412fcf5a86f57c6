import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { Button } from '../../design/Button.tsx';
import { Sign } from '../../design/Sign.tsx';
import { ItemList } from '../../items/lists/ItemList.tsx';
import { songText } from '../../items/songs/song.ts';
import { playedItem } from '../../saved/as-items.ts';
import { type LikedSong, withoutSong } from '../../saved/lists.ts';
import { saved, useSaved } from '../../saved/saved.ts';
import { useWords } from '../../i18n/use-words.ts';
import styles from './Presets.module.css';

/** What was played and liked in this browser; nothing where that is nothing. */
export function Heard(): ReactNode {
  const { t } = useWords();
  const { played, songs } = useSaved();
  return (
    <>
      {played.length > 0 && (
        <section className={styles['heard']}>
          <Head title={t('home.played')} onClear={() => void saved.change('played', () => [])} />
          <ItemList items={played.map(playedItem)} />
        </section>
      )}
      {songs.length > 0 && (
        <section className={styles['heard']}>
          <Head title={t('presets.songs')} />
          <ul className={styles['songs']}>
            {songs.map((song) => (
              <Liked key={`${song.artist} ${song.title}`} song={song} />
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

function Head({ title, onClear }: { title: string; onClear?: () => void }): ReactNode {
  const { t } = useWords();
  return (
    <div className={styles['head']}>
      <h2>{title}</h2>
      {onClear && (
        <Button kind="bare" aria-label={`${t('presets.clear')}: ${title}`} onClick={onClear}>
          {t('presets.clear')}
        </Button>
      )}
    </div>
  );
}

function Liked({ song }: { song: LikedSong }): ReactNode {
  const { t } = useWords();
  const { title, artist, guideId, station } = song;
  const text = songText({ title, artist: artist || undefined, startedAt: undefined });
  return (
    <li>
      <span>
        <bdi>{text}</bdi>
        {station !== '' && (
          <span className={styles['note']}>
            {/^s\d+$/.test(guideId) ? (
              <Link href={`/station/${guideId}`}>
                <bdi>{station}</bdi>
              </Link>
            ) : (
              <bdi>{station}</bdi>
            )}
          </span>
        )}
      </span>
      <Button
        kind="bare"
        isRound
        aria-label={t('presets.removeSong', { song: text })}
        onClick={() => void saved.change('songs', (list) => withoutSong(list, song))}
      >
        <Sign name="close" size={20} />
      </Button>
    </li>
  );
}
