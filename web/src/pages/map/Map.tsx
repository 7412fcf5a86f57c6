import { type ReactNode, useCallback, useMemo, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import type { FirstData } from '../../app/first-data.ts';
import { usePageTitle } from '../../app/title.ts';
import { Broken } from '../../design/Broken.tsx';
import { Button } from '../../design/Button.tsx';
import { useWords } from '../../i18n/use-words.ts';
import { usePlayer } from '../../player/use-player.ts';
import type { Chart } from './chart.ts';
import { InView } from './InView.tsx';
import { stationsInView } from './in-view.ts';
import { type Names, placeOf } from './load-map.ts';
import styles from './Map.module.css';
import { MapCanvas } from './MapCanvas.tsx';
import type { Mark } from './drawing/marks.ts';
import { type Points, stationsAt } from './points.ts';
import { surprise } from './surprise.ts';
import { prepareMap, useMap } from './use-map.ts';
import { type Size, type View, isInView, wholeWorld } from './view/view.ts';
import { parseView, writeView } from './view/view-text.ts';

interface Seen {
  view: View;
  size: Size;
}

/** A town and what is around it. */
const SURPRISE_ZOOM = 7;

/** A drawn world with a light for each place that has stations, and beside it the list of those in view. */
export default function Map(): ReactNode {
  const { t } = useWords();
  usePageTitle(t('shell.map'));
  const { points, names, error, again } = useMap();
  const [seen, setSeen] = useState<Seen>();
  const [site, setSite] = useState<number>();
  const [start] = useState(() => parseView(new URLSearchParams(location.search).get('at')));
  const chart = useRef<Chart>(null);
  const { state } = usePlayer();
  const playStation = usePlayStation(points, names);
  const keepInAddress = useAddress();
  const rest = useCallback((view: View, size: Size) => {
    setSeen({ view, size });
    keepInAddress(view);
  }, []);
  const choose = (mark: Mark): void => {
    if (mark.site === undefined) return;
    setSite(mark.count > 1 ? mark.site : undefined);
    playStation(mark.best);
  };
  /** Plays at once: browsers allow sound as the answer to a click, and not a second later. */
  const flyAnywhere = (): void => {
    if (!points) return;
    const last = points.ids.indexOf(Number(state.item?.guideId?.replace(/^s/, '')));
    const station = surprise(points.count, last === -1 ? undefined : last);
    if (station === undefined) return;
    setSite(undefined);
    playStation(station);
    chart.current?.flyTo({ x: points.x[station]!, y: points.y[station]!, zoom: SURPRISE_ZOOM });
  };
  const stations = useMemo(
    () => points && seen && stationsInView(points, seen.view, seen.size),
    [points, seen],
  );
  const sites = points?.sites;
  // Moving on deselects the place.
  const isHere = seen && points && site !== undefined && isSiteInView(points, site, seen);
  const here = isHere && sites ? stationsAt(sites, site) : undefined;
  if (error !== undefined) return <Broken error={error} again={again} level={1} />;
  return (
    <div className={styles['page']} data-player={state.item ? true : undefined}>
      <header className={styles['title']}>
        <h1>{t('map.title')}</h1>
        <Button kind="main" disabled={!points || !names} onClick={flyAnywhere}>
          {t('map.surprise')}
        </Button>
      </header>
      <MapCanvas ref={chart} points={points} names={names} start={start} onRest={rest} onChoose={choose} />
      <InView
        stations={here ?? stations}
        isHere={here !== undefined}
        points={points}
        names={names}
        showAll={() => setSite(undefined)}
        showWorld={() => chart.current?.glideTo(wholeWorld(chart.current.size))}
      />
    </div>
  );
}

Map.first = (() => [prepareMap()]) satisfies FirstData;

const isSiteInView = (
  { x, y, sites }: NonNullable<ReturnType<typeof useMap>['points']>,
  site: number,
  { view, size }: Seen,
): boolean => {
  const station = sites.stations[sites.starts[site] ?? 0] ?? 0;
  return isInView(view, size, x[station] ?? 0, y[station] ?? 0);
};

/** The view is part of the address: it can be shared, and "back" from a station restores it. */
function useAddress(): (view: View) => void {
  const [, navigate] = useLocation();
  return useCallback(
    (view: View) => {
      const next = `?at=${writeView(view)}`;
      // The map may still be visible while the next page is loading.
      if (location.pathname.endsWith('/map') && location.search !== next)
        navigate(`/map${next}`, { replace: true });
    },
    [navigate],
  );
}

/**
 * Plays a station by its number, or pauses it if it is playing. Waits for its name, so that listeners see what they
 * play.
 */
function usePlayStation(points: Points | undefined, names: Names | undefined): (station: number) => void {
  const { state, play, toggle } = usePlayer();
  return (station) => {
    const id = points?.ids[station];
    const name = names?.name[station];
    if (!names || id === undefined || name === undefined) return;
    const guideId = `s${id}`;
    if (state.item?.guideId === guideId) toggle();
    else play({ kind: 'station', guideId, name, subtext: placeOf(names, station) });
  };
}
