import { type ReactNode, useMemo } from 'react';
import { Broken } from '../../design/Broken.tsx';
import { Disclosure } from '../../design/Disclosure.tsx';
import { Slow } from '../../design/Slow.tsx';
import { useAnswer } from '../../directory/use-answer.ts';
import { ProtocolAddress } from '../../items/ProtocolAddress.tsx';
import { useSeen } from '../../items/use-seen.ts';
import { useWords } from '../../words/use-words.ts';
import { type ExplainedStream, readExplained } from './explained.ts';
import styles from './Streams.module.css';
import { StreamLine } from './StreamLine.tsx';

/** The browser is named, so that what is said holds for who reads it. */
const explainAddress = (guideId: string): string =>
  `/Tune.ashx?id=${guideId}&explain=true&render=json&device=web`;

/** Where a station is heard, in which format, and how well that went lately. */
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
  const { value, error, isWaiting, again } = useAnswer(`explain ${guideId}`, (_directory, { signal }) =>
    askWhy(guideId, signal),
  );
  const checked = useMemo(() => value?.some(({ checkedAt }) => checkedAt !== undefined), [value]);
  if (isWaiting) return <Slow />;
  if (error !== undefined) return <Broken error={error} again={again} level={3} />;
  if (!value || value.length === 0) return <p>{t('station.noStreams')}</p>;
  return (
    <>
      {!checked && <p className={styles['note']}>{t('station.neverChecked')}</p>}
      <ol className={styles['streams']}>
        {value.map((stream) => (
          <StreamLine key={stream.guideId} stream={stream} />
        ))}
      </ol>
      <ProtocolAddress address={explainAddress(guideId)} />
    </>
  );
}

/** The client leaves out what stands beside the body, so that this one call is made by hand. */
async function askWhy(guideId: string, signal: AbortSignal | undefined): Promise<ExplainedStream[]> {
  const deadline = AbortSignal.timeout(10_000);
  const response = await fetch(explainAddress(guideId), {
    signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
  });
  return readExplained(await response.json());
}
