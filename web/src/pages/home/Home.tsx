import { type ReactNode, useMemo } from 'react';
import { usePageTitle } from '../../app/title.ts';
import type { Item } from '../../items/item.ts';
import { type Section, sectionsOf } from '../../items/sections.ts';
import { usePlaying } from '../../items/use-playing.ts';
import { useWords } from '../../i18n/use-words.ts';
import styles from './Home.module.css';
import { NearYou } from './NearYou.tsx';
import { Popular } from './Popular.tsx';
import { RecentlyPlayed } from './RecentlyPlayed.tsx';
import { SettingUp } from './SettingUp.tsx';
import { Tuner } from './Tuner.tsx';
import { useNear } from './use-near.ts';
import { usePopular } from './use-popular.ts';
import { Ways } from './Ways.tsx';
import { YourPresets } from './YourPresets.tsx';

const NEAR = 9;
const NONE: readonly Section[] = [];

/** Something to play right away; then the listener's presets, and every entry to the directory. */
export default function Home(): ReactNode {
  const { t } = useWords();
  usePageTitle(undefined);
  const near = useNear();
  const sections = useMemo(() => (near.value ? sectionsOf(near.value) : NONE), [near.value]);
  const stations = useMemo(() => stationsOf(sections), [sections]);
  const popular = usePopular();
  // Where nothing is near, popular stations are offered instead.
  const heard = stations.length > 0 || near.isWaiting ? stations : (popular.value ?? stations);
  const songs = usePlaying(stations.flatMap(({ guideId }) => guideId ?? []));
  const isEmpty = popular.value?.length === 0 && stations.length === 0 && !near.isWaiting;
  const again = (): void => {
    near.again();
    popular.again();
  };
  return (
    <div className={styles['home']}>
      <h1 className="heard-only">{t('home.title')}</h1>
      {isEmpty && <SettingUp onEnd={again} />}
      {(near.isWaiting || heard.length > 0) && <Tuner key={near.place?.id} stations={heard} songs={songs} />}
      <NearYou near={near} sections={sections} stations={stations} songs={songs} />
      <YourPresets />
      <RecentlyPlayed />
      <Popular popular={popular} isAlone={near.error === undefined} />
      <Ways />
    </div>
  );
}

const stationsOf = (sections: readonly Section[]): Item[] =>
  sections
    .flatMap(({ items }) => items)
    .filter(({ kind }) => kind === 'station')
    .slice(0, NEAR);
