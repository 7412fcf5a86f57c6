import { type ReactNode, useMemo } from 'react';
import { SlowPage } from '../../app/SlowPage.tsx';
import { usePageTitle } from '../../app/title.ts';
import { Broken } from '../../design/Broken.tsx';
import { Empty } from '../../design/Empty.tsx';
import { Slow } from '../../design/Slow.tsx';
import { useAnswer } from '../../directory/use-answer.ts';
import { sectionsOf } from '../../items/sections.ts';
import { useWords } from '../../i18n/use-words.ts';
import { OnStations } from './OnStations.tsx';
import styles from './Show.module.css';
import { ShowHead } from './ShowHead.tsx';
import { type ShowFacts, showFacts } from './show-facts.ts';
import { Topics } from './Topics.tsx';

export default function Show({ params: { id } }: { params: { id: string } }): ReactNode {
  const { t } = useWords();
  const { value, error, isWaiting, again } = useAnswer(`show ${id}`, async (directory, call) => ({
    facts: showFacts(await directory.describe.item(id, call)),
  }));
  usePageTitle(value?.facts?.title);
  if (isWaiting) return <SlowPage />;
  if (error !== undefined) return <Broken error={error} again={again} level={1} />;
  if (value?.facts) return <Whole key={id} facts={value.facts} />;
  return (
    <Empty title={t('show.unknown')} level={1}>
      <p>{t('show.unknownText')}</p>
    </Empty>
  );
}

function Whole({ facts }: { facts: ShowFacts }): ReactNode {
  const { guideId } = facts;
  const { value, error, isWaiting, again } = useAnswer(`topics ${guideId}`, (directory, call) =>
    directory.browse.topics(guideId, call),
  );
  const topics = useMemo(() => value && sectionsOf(value).find(({ key }) => key === 'topics'), [value]);
  return (
    <article className={styles['show']}>
      <ShowHead facts={facts} newest={topics?.items[0]} />
      {isWaiting && <Slow />}
      {error !== undefined && <Broken error={error} again={again} />}
      {value && <OnStations guideId={guideId} hasTopics={topics !== undefined} />}
      {topics && <Topics section={topics} showId={guideId} showTitle={facts.title} />}
    </article>
  );
}
