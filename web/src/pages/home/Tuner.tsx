import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { Button } from '../../design/Button.tsx';
import { Dial } from '../../design/Dial.tsx';
import { dialPlace } from '../../design/dial-place.ts';
import { Logo } from '../../design/Logo.tsx';
import { Sign } from '../../design/Sign.tsx';
import { type Item, heardOf } from '../../items/item.ts';
import { songText } from '../../items/songs/song.ts';
import { underName } from '../../items/lists/under-name.ts';
import type { Songs } from '../../items/songs/use-playing.ts';
import { PlayButton } from '../../player/controls/PlayButton.tsx';
import { usePlayer } from '../../player/use-player.ts';
import { useWords } from '../../i18n/use-words.ts';
import styles from './Tuner.module.css';
import { turned } from './tuner.ts';

/** A radio on a shelf: one station, a play button, and a dial to turn. What plays follows the dial. */
export function Tuner({ stations, songs }: { stations: readonly Item[]; songs: Songs }): ReactNode {
  const { t } = useWords();
  const { state, play } = usePlayer();
  const [at, setAt] = useState(0);
  const station = stations[at] ?? stations[0];
  const turn = (by: 1 | -1): void => {
    const next = turned(at, stations.length, by);
    const heard = stations[next] && heardOf(stations[next]);
    const isOn = state.status === 'playing' || state.status === 'loading';
    if (heard && isOn && state.item?.guideId === station?.guideId) play(heard);
    setAt(next);
  };
  return (
    <section className={styles['tuner']} aria-label={t('home.tuner')}>
      <Dial at={station && dialPlace(station.guideId ?? '')} className={styles['dial'] ?? ''} />
      <div className={styles['station']}>
        {station ? (
          <Shown station={station} songs={songs} />
        ) : (
          <p role="status" className={styles['now']}>
            {t('state.slow')}
          </p>
        )}
        {stations.length > 1 && (
          <div className={styles['turn']}>
            <Turn label={t('home.turnBack')} isBack onClick={() => turn(-1)} />
            <Turn label={t('home.turn')} onClick={() => turn(1)} />
          </div>
        )}
      </div>
    </section>
  );
}

function Shown({ station, songs }: { station: Item; songs: Songs }): ReactNode {
  const { guideId, name, aside, href = '/' } = station;
  const heard = heardOf(station);
  const song = songs.get(guideId ?? '');
  return (
    <>
      <Logo guideId={guideId} name={name} size={96} isFirst />
      <div className={styles['words']} aria-live="polite">
        <p className={styles['name']}>
          <Link href={href}>
            <bdi>{name}</bdi>
          </Link>
        </p>
        <p className={styles['now']}>
          <bdi>{song ? songText(song) : [aside, underName(station, songs)].filter(Boolean).join(' · ')}</bdi>
        </p>
      </div>
      {heard && <PlayButton item={heard} isLarge />}
    </>
  );
}

function Turn({
  label,
  isBack = false,
  onClick,
}: {
  label: string;
  isBack?: boolean;
  onClick: () => void;
}): ReactNode {
  return (
    <Button isRound aria-label={label} title={label} data-back={isBack || undefined} onClick={onClick}>
      <Sign name="next" size={20} />
    </Button>
  );
}
