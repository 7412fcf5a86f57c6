import { type ReactNode, useMemo } from 'react';
import type { FirstData } from '../../app/first-data.ts';
import { usePageTitle } from '../../app/title.ts';
import type { Item } from '../../items/item.ts';
import { type Section, sectionsOf } from '../../items/lists/sections.ts';
import { usePlaying } from '../../items/songs/use-playing.ts';
import { useSaved } from '../../saved/saved.ts';
import { useWords } from '../../i18n/use-words.ts';
import styles from './Home.module.css';
import { NearYou } from './NearYou.tsx';
import { Popular } from './Popular.tsx';
import { RecentlyPlayed } from './RecentlyPlayed.tsx';
import { SettingUp } from './SettingUp.tsx';
import { Tuner } from './Tuner.tsx';
import { useNear } from './use-near.ts';
import { preparePopular, usePopular } from './use-popular.ts';
import { Ways } from './Ways.tsx';
import { YourPresets } from './YourPresets.tsx';

const NEAR = 9;
const NONE: readonly Section[] = [];
const NO_STATIONS: readonly Item[] = [];

/** What this is, and something to play right away; the listener's own; then every entry to the directory. */
export default function Home(): ReactNode {
  const { t } = useWords();
  usePageTitle(undefined);
  const near = useNear();
  const sections = useMemo(() => (near.value ? sectionsOf(near.value) : NONE), [near.value]);
  const stations = useMemo(() => stationsOf(sections), [sections]);
  const popular = usePopular();
  const liked = popular.value ?? NO_STATIONS;
  // Popular stations are there first; near ones are offered where nothing is known to be popular.
  const heard = liked.length > 0 || popular.isWaiting ? liked : stations;
  const songs = usePlaying(idsOf(near.isWaiting ? NO_STATIONS : [...liked, ...stations]));
  const isEmpty = popular.value?.length === 0 && stations.length === 0 && !near.isWaiting;
  // What this browser saved comes first, and within milliseconds: the rest waits for it, and is not pushed down.
  const isRead = useSaved().isLasting !== undefined;
  const again = (): void => {
    near.again();
    popular.again();
  };
  return (
    <div className={styles['home']}>
      <h1 className={styles['intro']}>{t('home.intro')}</h1>
      {isEmpty && <SettingUp onEnd={again} />}
      {(popular.isWaiting || heard.length > 0) && <Tuner stations={heard} songs={songs} />}
      {isRead && (
        <>
          <YourPresets />
          <RecentlyPlayed />
          <Popular popular={popular} songs={songs} isAlone={near.error === undefined} />
          <NearYou near={near} sections={sections} stations={stations} songs={songs} />
          <Ways />
        </>
      )}
    </div>
  );
}

Home.first = ((_address, language) => [preparePopular(language)]) satisfies FirstData;

const stationsOf = (sections: readonly Section[]): Item[] =>
  sections
    .flatMap(({ items }) => items)
    .filter(({ kind }) => kind === 'station')
    .slice(0, NEAR);

const idsOf = (items: readonly Item[]): string[] => [
  ...new Set(items.flatMap(({ guideId }) => guideId ?? [])),
];
