import type { ReactNode } from 'react';
import { linkTo } from '../../directory/link-to.ts';
import type { Item } from '../../items/item.ts';
import { ItemList } from '../../items/lists/ItemList.tsx';
import type { SavedPreset } from '../../saved/lists.ts';
import { useWords } from '../../i18n/use-words.ts';
import styles from './Podcasts.module.css';

/** The shows; the heart ends a subscription. */
export function Subscriptions({ shows }: { shows: readonly SavedPreset[] }): ReactNode {
  const { t } = useWords();
  return (
    <section className={styles['part']}>
      <h2>{t('podcasts.subscriptions')}</h2>
      <ItemList items={shows.map(showItem)} />
    </section>
  );
}

const showItem = ({ guideId, name, subtext }: SavedPreset): Item => ({
  kind: 'show',
  key: guideId,
  guideId,
  name,
  aside: undefined,
  subtext: subtext || undefined,
  href: linkTo({ guideId }),
  seconds: undefined,
  isUnavailable: false,
});
