import { type ReactNode, type Ref, useEffect, useId, useImperativeHandle, useRef, useState } from 'react';
import { useTheme } from '../../app/theme.ts';
import { usePlayer } from '../../player/use-player.ts';
import { useWords } from '../../i18n/use-words.ts';
import { Chart, type Pointed } from './chart.ts';
import { attachGestures, pointAtMiddle, pressKey } from './view/gestures.ts';
import type { Names } from './load-map.ts';
import { MapButtons } from './MapButtons.tsx';
import styles from './MapCanvas.module.css';
import type { Mark } from './drawing/marks.ts';
import type { Points } from './points.ts';
import { Tip } from './Tip.tsx';
import type { Size, View } from './view/view.ts';

interface Props {
  points: Points | undefined;
  names: Names | undefined;
  /** The initial view; default: the whole world. */
  start: View | undefined;
  onRest: (view: View, size: Size) => void;
  onChoose: (mark: Mark) => void;
  ref: Ref<Chart | null>;
}

/**
 * The drawn world itself. React only holds the canvas and never draws on it: sixty frames a second are too many for
 * it.
 */
export function MapCanvas({ points, names, start, onRest, onChoose, ref }: Props): ReactNode {
  const { t } = useWords();
  const id = useId();
  const canvas = useRef<HTMLCanvasElement>(null);
  const [chart, setChart] = useState<Chart | null>(null);
  const [pointed, setPointed] = useState<Pointed>();
  const [hasNoLand, setHasNoLand] = useState(false);
  const choose = useRef(onChoose);
  choose.current = onChoose;
  useImperativeHandle<Chart | null, Chart | null>(ref, () => chart, [chart]);

  useEffect(() => {
    if (!canvas.current) return undefined;
    const opened = new Chart(
      canvas.current,
      {
        rest: onRest,
        point: setPointed,
        choose: (mark) => choose.current(mark),
        landFailed: () => setHasNoLand(true),
      },
      start,
    );
    const stopListening = attachGestures(canvas.current, opened);
    const stopMeasuring = measure(canvas.current, (size) => opened.resize(size));
    setChart(opened);
    return () => {
      stopMeasuring();
      stopListening();
      opened.close();
    };
    // `start` matters only for the first render.
  }, [onRest]);

  useEffect(() => {
    if (chart && points) chart.show(points);
  }, [chart, points]);
  useThemeOf(chart);
  useLabels(chart, points !== undefined);
  useNeedle(chart, points);

  const press = (event: React.KeyboardEvent): void => {
    if (!chart || event.ctrlKey || event.metaKey || event.altKey || !pressKey(chart, event.key)) return;
    event.preventDefault();
    chart.setCross(true);
    pointAtMiddle(chart);
  };
  return (
    <div className={styles['frame']} data-map-frame>
      <canvas
        ref={canvas}
        className={styles['canvas']}
        tabIndex={0}
        role="application"
        aria-label={t('map.label')}
        aria-describedby={id}
        data-pointed={pointed ? true : undefined}
        onKeyDown={press}
        onFocus={({ target }) => chart?.setCross(target.matches(':focus-visible'))}
        onBlur={() => {
          chart?.setCross(false);
          chart?.point(undefined);
        }}
      />
      <p id={id} className="heard-only">
        {t('map.keys')}
      </p>
      {chart && pointed && <Tip pointed={pointed} size={chart.size} points={points} names={names} />}
      {chart && <MapButtons chart={chart} />}
      {hasNoLand && (
        <p className={styles['note']} role="status">
          {t('map.noLand')}
        </p>
      )}
    </div>
  );
}

function measure(canvas: HTMLCanvasElement, tell: (size: Size) => void): () => void {
  const observer = new ResizeObserver(([entry]) => {
    if (entry) tell({ width: entry.contentRect.width, height: entry.contentRect.height });
  });
  observer.observe(canvas);
  return () => observer.disconnect();
}

/** Redraws when the theme changes, whether the listener or the system changed it. */
function useThemeOf(chart: Chart | null): void {
  const theme = useTheme();
  useEffect(() => {
    if (!chart) return undefined;
    chart.recolour();
    const system = matchMedia('(prefers-color-scheme: dark)');
    const recolour = (): void => chart.recolour();
    system.addEventListener('change', recolour);
    return () => system.removeEventListener('change', recolour);
  }, [chart, theme]);
}

/** The names of places come after what they name; a map without them is one too. */
function useLabels(chart: Chart | null, hasPoints: boolean): void {
  const { language } = useWords();
  useEffect(() => {
    if (!chart || !hasPoints) return undefined;
    const ending = new AbortController();
    const { signal } = ending;
    const letter = async (): Promise<void> => {
      const { openLabels } = await import('./labels/labels.ts');
      // Measured in the page's own type, which may still be on its way.
      const [paintLabels] = await Promise.all([openLabels(language, signal), document.fonts.ready]);
      if (!signal.aborted) chart.letter(paintLabels);
    };
    letter().catch(() => {});
    return () => ending.abort();
  }, [chart, hasPoints, language]);
}

function useNeedle(chart: Chart | null, points: Points | undefined): void {
  const { state } = usePlayer();
  const heard = state.status === 'failed' ? undefined : state.item?.guideId;
  useEffect(() => {
    const id = Number(heard?.replace(/^s/, ''));
    const station = points?.ids.indexOf(id) ?? -1;
    chart?.setNeedle(station === -1 ? undefined : points?.x[station]);
  }, [chart, points, heard]);
}
