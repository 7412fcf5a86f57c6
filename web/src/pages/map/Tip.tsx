import { type ReactNode, useEffect, useState } from 'react';
import { songText } from '../../items/songs/song.ts';
import { usePlaying } from '../../items/songs/use-playing.ts';
import { useWords } from '../../i18n/use-words.ts';
import type { Pointed } from './chart.ts';
import { type Names, placeOf } from './load-map.ts';
import type { Points } from './points.ts';
import styles from './Tip.module.css';
import type { Size } from './view/view.ts';

const HALF_WIDTH = 130;
const ABOVE_FROM = 110;

/** A pointer on its way elsewhere asks for nothing. */
const POINTED_MS = 300;

/** Names the mark under the pointer, with what is on there now; also announced to keyboard users. */
export function Tip({
  pointed,
  size,
  points,
  names,
}: {
  pointed: Pointed;
  size: Size;
  points: Points | undefined;
  names: Names | undefined;
}): ReactNode {
  const { t } = useWords();
  const { mark, left, top } = pointed;
  const song = useSong(`s${points?.ids[mark.best]}`);
  if (!names) return null;
  // Kept inside the map, however near its edge the point is.
  const middle = Math.max(HALF_WIDTH, Math.min(size.width - HALF_WIDTH, left));
  const place = placeOf(names, mark.best);
  return (
    <div
      className={styles['tip']}
      style={{ left: middle, top }}
      data-below={top < ABOVE_FROM || undefined}
      role="status"
      dir="auto"
    >
      <bdi className={styles['name']}>{names.name[mark.best]}</bdi>
      {mark.count > 1 && <span>{t('map.andMore', { count: mark.count - 1 })}</span>}
      {song !== undefined && <bdi className={styles['song']}>{song}</bdi>}
      {mark.site !== undefined && place && <bdi>{place}</bdi>}
    </div>
  );
}

/** What a station plays, once it was pointed at for a moment; asked for only while it is. */
function useSong(guideId: string): string | undefined {
  const [asked, setAsked] = useState<string>();
  useEffect(() => {
    const timer = setTimeout(() => setAsked(guideId), POINTED_MS);
    return () => clearTimeout(timer);
  }, [guideId]);
  const song = usePlaying(asked === guideId ? [guideId] : []).get(guideId);
  return song && songText(song);
}
