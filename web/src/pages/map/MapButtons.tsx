import type { ReactNode } from 'react';
import { useWords } from '../../i18n/use-words.ts';
import type { Chart } from './chart.ts';
import styles from './MapButtons.module.css';
import { wholeWorld } from './view/view.ts';

export function MapButtons({ chart }: { chart: Chart }): ReactNode {
  const { t } = useWords();
  const zoom = (steps: number) => () => chart.glideTo({ ...chart.aim, zoom: chart.aim.zoom + steps });
  return (
    <div className={styles['buttons']}>
      <button type="button" aria-label={t('map.zoomIn')} title={t('map.zoomIn')} onClick={zoom(1)}>
        <Drawn path="M12 5v14M5 12h14" />
      </button>
      <button type="button" aria-label={t('map.zoomOut')} title={t('map.zoomOut')} onClick={zoom(-1)}>
        <Drawn path="M5 12h14" />
      </button>
      <button
        type="button"
        aria-label={t('map.world')}
        title={t('map.world')}
        onClick={() => chart.glideTo(wholeWorld(chart.size))}
      >
        <Drawn path="M12 20.5a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17Zm0 0c2.3 0 4-3.8 4-8.5s-1.7-8.5-4-8.5-4 3.8-4 8.5 1.7 8.5 4 8.5ZM3.5 12h17" />
      </button>
    </div>
  );
}

function Drawn({ path }: { path: string }): ReactNode {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 24 24"
      width="20"
      height="20"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.8"
      strokeLinecap="round"
    >
      <path d={path} />
    </svg>
  );
}
