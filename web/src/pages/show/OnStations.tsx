import { type ReactNode, useMemo } from 'react';
import { Empty } from '../../design/Empty.tsx';
import { useAnswer } from '../../directory/use-answer.ts';
import { SectionView } from '../../items/SectionView.tsx';
import { sectionsOf } from '../../items/sections.ts';
import { useWords } from '../../i18n/use-words.ts';

interface Props {
  guideId: string;
  /** Without topics and without a station there is nothing to play, and the page says so. */
  hasTopics: boolean;
}

/** The stations that broadcast a show now, or later. */
export function OnStations({ guideId, hasTopics }: Props): ReactNode {
  const { t } = useWords();
  const { value } = useAnswer(`heard ${guideId}`, (directory, call) => directory.tune.show(guideId, call));
  const onAir = t('show.onAir');
  const sections = useMemo(
    () =>
      value &&
      sectionsOf(value)
        .filter(hasStations)
        .map((section) => ({ ...section, title: section.title ?? onAir })),
    [value, onAir],
  );
  if (sections?.length === 0 && !hasTopics)
    return (
      <Empty title={t('show.nothing')}>
        <p>{t('show.nothingText')}</p>
      </Empty>
    );
  return sections?.map((section) => <SectionView key={section.key} section={section} />);
}

const hasStations = ({ items }: ReturnType<typeof sectionsOf>[number]): boolean =>
  items.some(({ kind }) => kind === 'station');
