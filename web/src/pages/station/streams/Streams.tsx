import type { ReactNode } from 'react';
import { Broken } from '../../../design/Broken.tsx';
import { Disclosure } from '../../../design/Disclosure.tsx';
import { Slow } from '../../../design/Slow.tsx';
import { useAnswer } from '../../../directory/use-answer.ts';
import { ProtocolAddress } from '../../../items/details/ProtocolAddress.tsx';
import { useSeen } from '../../../items/use-seen.ts';
import { useWords } from '../../../i18n/use-words.ts';
import styles from './Streams.module.css';
import { StreamLine } from './StreamLine.tsx';

/** The profile of browsers, so that the explanation is about this one. */
const DEVICE = 'web';

/** The streams of a station, their formats, and how reliable they were lately. */
export function Streams({ guideId }: { guideId: string }): ReactNode {
  const { t } = useWords();
  const [ref, isSeen] = useSeen<HTMLDivElement>();
  return (
    <Disclosure title={t('station.streams')}>
      <div ref={ref} className={styles['inside']}>
        {isSeen && <List guideId={guideId} />}
      </div>
    </Disclosure>
  );
}

function List({ guideId }: { guideId: string }): ReactNode {
  const { t } = useWords();
  const { value, error, isWaiting, again } = useAnswer(`explain ${guideId}`, (directory, call) =>
    directory.with({ device: DEVICE }).tune.explain(guideId, call),
  );
  const streams = value?.streams ?? [];
  const given = streams.filter(({ position }) => position !== undefined).length;
  const checked = streams.some(({ checkedAt }) => checkedAt !== undefined);
  if (isWaiting) return <Slow />;
  if (error !== undefined) return <Broken error={error} again={again} level={3} />;
  if (streams.length === 0) return <p>{t('station.noStreams')}</p>;
  return (
    <>
      {!checked && <p className={styles['note']}>{t('station.neverChecked')}</p>}
      <ol className={styles['streams']}>
        {streams.map((stream) => (
          <StreamLine key={stream.guideId} stream={stream} given={given} />
        ))}
      </ol>
      <ProtocolAddress address={`/Tune.ashx?id=${guideId}&explain=true&render=json&device=${DEVICE}`} />
    </>
  );
}
