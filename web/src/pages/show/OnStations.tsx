import type { Menu } from '@longwave/client';
import { type ReactNode, useMemo } from 'react';
import { Empty } from '../../design/Empty.tsx';
import { type Ask, prepareAnswer, useAnswer } from '../../directory/use-answer.ts';
import { SectionView } from '../../items/lists/SectionView.tsx';
import { sectionsOf } from '../../items/lists/sections.ts';
import type { Language } from '../../i18n/languages.ts';
import { useWords } from '../../i18n/use-words.ts';

interface Props {
  guideId: string;
  /** Without topics and without a station there is nothing to play, and the page says so. */
  hasTopics: boolean;
}

const keyOf = (guideId: string): string => `heard ${guideId}`;
const ask =
  (guideId: string): Ask<Menu> =>
  (directory, call) =>
    directory.tune.show(guideId, call);

export const prepareStations = (guideId: string, language: Language): Promise<void> =>
  prepareAnswer(keyOf(guideId), language, ask(guideId));

/** The stations that broadcast a show now, or later. */
export function OnStations({ guideId, hasTopics }: Props): ReactNode {
  const { t } = useWords();
  const { value } = useAnswer(keyOf(guideId), ask(guideId));
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
