import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { Broken } from '../../design/Broken.tsx';
import { Button } from '../../design/Button.tsx';
import { Empty } from '../../design/Empty.tsx';
import type { Item } from '../../items/item.ts';
import { ItemList } from '../../items/lists/ItemList.tsx';
import { SlowList } from '../../items/lists/SlowList.tsx';
import type { Section } from '../../items/lists/sections.ts';
import type { Songs } from '../../items/songs/use-playing.ts';
import { useSession } from '../../session/use-session.ts';
import { useWords } from '../../i18n/use-words.ts';
import { ChoosePlace } from './ChoosePlace.tsx';
import styles from './Home.module.css';
import type { Near } from './use-near.ts';

interface Props {
  near: Near;
  sections: readonly Section[];
  stations: readonly Item[];
  songs: Songs;
}

/** The stations near the listener, and the place that is assumed. */
export function NearYou({ near, sections, stations, songs }: Props): ReactNode {
  const { t } = useWords();
  const { account } = useSession();
  const [isChoosing, setIsChoosing] = useState(false);
  const { place, error, isWaiting, again, choose } = near;
  const name = place?.name ?? account?.place?.city;
  // If the place is unknown, the directory returns a list of places.
  const places = sections.flatMap(({ items }) => items).filter(({ kind }) => kind === 'link');
  return (
    <section className={styles['part']}>
      <div className={styles['head']}>
        <h2>
          {t('home.nearYou')}
          {name && <span className={styles['place']}> · {name}</span>}
        </h2>
        <Button kind="bare" className={styles['change'] ?? ''} onClick={() => setIsChoosing(true)}>
          {t('home.change')}
        </Button>
        {stations.length > 0 && (
          <Link
            href={place && !place.latlon ? `/browse?id=${place.id}` : '/browse?c=local'}
            className={styles['all'] ?? ''}
          >
            {t('home.all')}
          </Link>
        )}
      </div>
      {isWaiting && <SlowList rows={9} />}
      {error !== undefined && <Broken error={error} again={again} level={3} />}
      {stations.length > 0 && <ItemList items={stations} songs={songs} />}
      {stations.length > 0 && !name && <Credit />}
      {!isWaiting && error === undefined && stations.length === 0 && (
        <Empty title={place ? t('home.nothingNear', { place: place.name }) : t('home.whereTitle')} level={3}>
          <p>{t(place ? 'home.nothingNearText' : 'home.whereText')}</p>
          <ItemList items={places} />
        </Empty>
      )}
      {isChoosing && <ChoosePlace place={place} onChoose={choose} onClose={() => setIsChoosing(false)} />}
    </section>
  );
}

/** The attribution that the licence of the IP address data requires, where it was used to find the place. */
function Credit(): ReactNode {
  return (
    <p className={styles['credit']} lang="en">
      <a href="https://db-ip.com" rel="noopener noreferrer" target="_blank">
        IP geolocation by DB-IP
      </a>
    </p>
  );
}
