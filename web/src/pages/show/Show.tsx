import type { Menu } from '@longwave/client';
import { type ReactNode, useMemo } from 'react';
import { Link } from 'wouter';
import type { FirstData } from '../../app/first-data.ts';
import { SlowPage } from '../../app/SlowPage.tsx';
import { usePageTitle } from '../../app/title.ts';
import { Broken } from '../../design/Broken.tsx';
import { Empty } from '../../design/Empty.tsx';
import { Slow } from '../../design/Slow.tsx';
import { type Ask, prepareAnswer, useAnswer } from '../../directory/use-answer.ts';
import { sectionsOf } from '../../items/lists/sections.ts';
import { useWords } from '../../i18n/use-words.ts';
import { OnStations, prepareStations } from './OnStations.tsx';
import styles from './Show.module.css';
import { ShowHead } from './ShowHead.tsx';
import { type ShowFacts, showFacts } from './show-facts.ts';
import { Topics } from './Topics.tsx';

const keyOf = (id: string): string => `show ${id}`;
const ask =
  (id: string): Ask<{ facts: ShowFacts | undefined }> =>
  async (directory, call) => ({ facts: showFacts(await directory.describe.item(id, call)) });

const topicsKey = (id: string): string => `topics ${id}`;
const askTopics =
  (id: string): Ask<Menu> =>
  (directory, call) =>
    directory.browse.topics(id, call);

export default function Show({ params: { id } }: { params: { id: string } }): ReactNode {
  const { t } = useWords();
  const { value, error, isWaiting, again } = useAnswer(keyOf(id), ask(id));
  usePageTitle(value && (value.facts?.title ?? t('show.unknown')));
  if (isWaiting) return <SlowPage />;
  if (error !== undefined) return <Broken error={error} again={again} level={1} />;
  if (value?.facts) return <Whole key={id} facts={value.facts} />;
  return (
    <Empty title={t('show.unknown')} level={1}>
      <p>{t('show.unknownText')}</p>
      <p>
        <Link href="/">{t('shell.toHome')}</Link>
      </p>
    </Empty>
  );
}

/** With its episodes and stations: what comes later moves what is read. */
Show.first = (({ id }, language) => [
  prepareAnswer(keyOf(id), language, ask(id)),
  prepareAnswer(topicsKey(id), language, askTopics(id)),
  prepareStations(id, language),
]) satisfies FirstData;

function Whole({ facts }: { facts: ShowFacts }): ReactNode {
  const { guideId } = facts;
  const { value, error, isWaiting, again } = useAnswer(topicsKey(guideId), askTopics(guideId));
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
