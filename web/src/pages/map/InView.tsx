import { type ReactNode, useDeferredValue, useMemo, useState } from 'react';
import { Button } from '../../design/Button.tsx';
import { Field } from '../../design/Field.tsx';
import { Slow } from '../../design/Slow.tsx';
import type { Item } from '../../items/item.ts';
import { ItemRow } from '../../items/lists/ItemRow.tsx';
import { useWords } from '../../i18n/use-words.ts';
import styles from './InView.module.css';
import { plainLetters } from '../../items/plain-letters.ts';
import { type Page, pageOf, stationsNamed } from './in-view.ts';
import { type Names, placeOf } from './load-map.ts';
import type { Points } from './points.ts';

interface Props {
  /** Those that the map shows, or those of one place. */
  stations: Int32Array | undefined;
  isHere: boolean;
  points: Points | undefined;
  names: Names | undefined;
  showAll: () => void;
  showWorld: () => void;
}

/** The stations in view as a list: for those who cannot use a map, and for everybody's last step. */
export function InView({ stations, isHere, points, names, showAll, showWorld }: Props): ReactNode {
  const { t } = useWords();
  const [text, setText] = useState('');
  const typed = useDeferredValue(text);
  const foldedNames = useFoldedNames(names, typed !== '');
  const found = useMemo(
    () => stations && stationsNamed(stations, foldedNames, typed),
    [stations, foldedNames, typed],
  );
  const [turned, setTurned] = useState<{ of: Int32Array | undefined; page: number }>();
  const page = found && pageOf(found, turned?.of === found ? turned.page : 0);
  if (!found || !page || !points || !names)
    return (
      <div className={styles['list']}>
        <Slow />
      </div>
    );
  const count = found.length;
  const words = isHere ? 'map.here' : typed.trim() === '' ? 'map.inView' : 'map.found';
  return (
    <section className={styles['list']} aria-labelledby="in-view">
      <h2 id="in-view" aria-live="polite" className={styles['count']} data-count={found.length}>
        {t(words, { count })}
      </h2>
      {isHere ? (
        <Button onClick={showAll}>{t('map.allInView')}</Button>
      ) : (
        <Field
          label={t('map.search')}
          type="search"
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
      )}
      {found.length === 0 ? (
        <Nothing isNamed={typed.trim() !== ''} showWorld={showWorld} />
      ) : (
        <ol className={styles['rows']} start={page.from + 1}>
          {Array.from(page.stations, (station) => (
            <li key={station}>
              <ItemRow item={itemOf(points, names, station)} />
            </li>
          ))}
        </ol>
      )}
      <p className={styles['whose']}>{t('map.whose')}</p>
      <Pager
        page={page}
        count={found.length}
        turn={(by) => setTurned({ of: found, page: page.number + by })}
      />
    </section>
  );
}

/** Made when something is typed for the first time: most people never do. */
function useFoldedNames(names: Names | undefined, isWanted: boolean): readonly string[] {
  return useMemo(() => (isWanted ? (names?.name.map(plainLetters) ?? []) : []), [names, isWanted]);
}

function Nothing({ isNamed, showWorld }: { isNamed: boolean; showWorld: () => void }): ReactNode {
  const { t } = useWords();
  return (
    <div className={styles['nothing']}>
      <p>{t(isNamed ? 'map.nothingNamed' : 'map.nothing')}</p>
      <p>{t('map.nothingText')}</p>
      <Button onClick={showWorld}>{t('map.world')}</Button>
    </div>
  );
}

function Pager({ page, count, turn }: { page: Page; count: number; turn: (by: number) => void }): ReactNode {
  const { t } = useWords();
  if (!page.hasBefore && !page.hasAfter) return null;
  const range = {
    from: page.from + 1,
    to: page.from + page.stations.length,
    count,
  };
  return (
    <div className={styles['pager']}>
      <Button kind="bare" disabled={!page.hasBefore} onClick={() => turn(-1)}>
        {t('map.before')}
      </Button>
      <span>{t('map.page', range)}</span>
      <Button kind="bare" disabled={!page.hasAfter} onClick={() => turn(1)}>
        {t('map.after')}
      </Button>
    </div>
  );
}

/** A station of the map, as an item of the site's other lists. */
function itemOf({ ids }: Points, names: Names, station: number): Item {
  const guideId = `s${ids[station]}`;
  return {
    kind: 'station',
    key: guideId,
    guideId,
    logoId: guideId,
    name: names.name[station] ?? guideId,
    aside: placeOf(names, station),
    subtext: undefined,
    href: `/station/${guideId}`,
    seconds: undefined,
    isUnavailable: false,
  };
}
