import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { FirstData } from '../../app/first-data.ts';
import { SlowPage } from '../../app/SlowPage.tsx';
import { usePageTitle } from '../../app/title.ts';
import { Broken } from '../../design/Broken.tsx';
import { Empty } from '../../design/Empty.tsx';
import { type Ask, prepareAnswer, useAnswer } from '../../directory/use-answer.ts';
import { Heart } from '../../items/Heart.tsx';
import { ReportProblem } from '../../items/details/ReportProblem.tsx';
import { Share } from '../../items/details/Share.tsx';
import { useNow } from './use-now.ts';
import { usePlaying } from '../../items/songs/use-playing.ts';
import { PlayButton } from '../../player/controls/PlayButton.tsx';
import { useWords } from '../../i18n/use-words.ts';
import { About } from './About.tsx';
import { dayOf, isOn } from './schedule/day.ts';
import { Embed } from './Embed.tsx';
import { OnAir } from './schedule/OnAir.tsx';
import { Related } from './Related.tsx';
import { Schedule } from './schedule/Schedule.tsx';
import styles from './Station.module.css';
import { StationHead } from './StationHead.tsx';
import { type StationFacts, stationFacts } from './station-facts.ts';
import { Streams } from './streams/Streams.tsx';
import { useDay } from './schedule/use-day.ts';

const keyOf = (id: string): string => `station ${id}`;
const ask =
  (id: string): Ask<{ facts: StationFacts | undefined }> =>
  async (directory, call) => ({ facts: stationFacts(await directory.describe.item(id, call)) });

export default function Station({ params: { id } }: { params: { id: string } }): ReactNode {
  const { t } = useWords();
  const { value, error, isWaiting, again } = useAnswer(keyOf(id), ask(id));
  usePageTitle(value && (value.facts?.name ?? t('station.unknown')));
  if (isWaiting) return <SlowPage />;
  if (error !== undefined) return <Broken error={error} again={again} level={1} />;
  if (value?.facts) return <Whole key={id} facts={value.facts} />;
  return (
    <Empty title={t('station.unknown')} level={1}>
      <p>{t('station.unknownText')}</p>
      <p>
        <Link href="/">{t('shell.toHome')}</Link>
      </p>
    </Empty>
  );
}

Station.first = (({ id }, language) => [prepareAnswer(keyOf(id), language, ask(id))]) satisfies FirstData;

function Whole({ facts }: { facts: StationFacts }): ReactNode {
  const { guideId, name, place, hasSchedule } = facts;
  const song = usePlaying([guideId]).get(guideId);
  const now = useNow();
  const today = useDay(guideId, hasSchedule ? dayOf(now) : undefined);
  return (
    <article className={styles['station']}>
      <StationHead
        facts={facts}
        actions={
          <>
            <PlayButton item={{ kind: 'station', guideId, name, subtext: place }} isLarge />
            <Heart preset={{ guideId, name, subtext: place ?? '' }} isLarge />
            <Share name={name} href={`/station/${guideId}`} />
            <ReportProblem guideId={guideId} />
          </>
        }
      />
      <div className={styles['halves']}>
        <div className={styles['half']}>
          <OnAir
            guideId={guideId}
            name={name}
            song={song}
            show={today.value?.find((broadcast) => isOn(broadcast, now))}
          />
          {hasSchedule && <About facts={facts} />}
        </div>
        {hasSchedule ? <Schedule guideId={guideId} today={today} now={now} /> : <About facts={facts} />}
      </div>
      <Streams guideId={guideId} />
      <Embed guideId={guideId} name={name} />
      <Related guideId={guideId} />
    </article>
  );
}
