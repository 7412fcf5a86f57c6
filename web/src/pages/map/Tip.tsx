import type { ReactNode } from 'react';
import { useWords } from '../../i18n/use-words.ts';
import type { Pointed } from './chart.ts';
import { type Names, placeOf } from './load-map.ts';
import styles from './Tip.module.css';
import type { Size } from './view.ts';

const HALF_WIDTH = 130;
const ABOVE_FROM = 110;

/** Names the mark under the pointer; also announced to keyboard users. */
export function Tip({
  pointed,
  size,
  names,
}: {
  pointed: Pointed;
  size: Size;
  names: Names | undefined;
}): ReactNode {
  const { t } = useWords();
  const { mark, left, top } = pointed;
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
      {mark.site !== undefined && place && <bdi>{place}</bdi>}
    </div>
  );
}
