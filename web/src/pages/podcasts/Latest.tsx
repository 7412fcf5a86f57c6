import { type ReactNode, useState } from 'react';
import { Broken } from '../../design/Broken.tsx';
import { Button } from '../../design/Button.tsx';
import { formatLocale } from '../../items/local-format.ts';
import { SlowList } from '../../items/lists/SlowList.tsx';
import { EpisodeLine } from '../../podcasts/EpisodeLine.tsx';
import { type Episode, news } from '../../podcasts/news.ts';
import { useMarkSeen } from '../../podcasts/use-mark-seen.ts';
import { useWords } from '../../i18n/use-words.ts';
import { dayText } from './day-text.ts';
import styles from './Podcasts.module.css';

const PAGE = 20;

interface Props {
  episodes: readonly Episode[] | undefined;
  error: unknown;
  fresh: readonly Episode[];
}

/** The latest episodes of all subscriptions; those that came since last time are marked. */
export function Latest({ episodes, error, fresh }: Props): ReactNode {
  const { t, language } = useWords();
  const [shown, setShown] = useState(PAGE);
  const isNew = useMarkSeen(fresh);
  const locale = formatLocale(language);
  const count = episodes?.filter(({ guideId }) => isNew(guideId)).length ?? 0;
  return (
    <section className={styles['part']}>
      <div className={styles['head']}>
        <h2>{t('podcasts.latest')}</h2>
        {count > 0 && <p className={styles['note']}>{t('podcasts.newCount', { count })}</p>}
      </div>
      {!episodes && error === undefined && <SlowList rows={6} shape="column" />}
      {!episodes && error !== undefined && <Broken error={error} again={() => news.ask()} />}
      {episodes?.length === 0 && <p className={styles['note']}>{t('podcasts.noEpisodes')}</p>}
      <ol className={styles['episodes']}>
        {episodes?.slice(0, shown).map((episode) => (
          <EpisodeLine
            key={episode.guideId}
            episode={episode}
            date={dayText(episode.publishedAt, locale)}
            isNew={isNew(episode.guideId)}
            hasShow
          />
        ))}
      </ol>
      {episodes && episodes.length > shown && (
        <Button className={styles['more'] ?? ''} onClick={() => setShown(shown + PAGE)}>
          {t('items.more')}
        </Button>
      )}
    </section>
  );
}
