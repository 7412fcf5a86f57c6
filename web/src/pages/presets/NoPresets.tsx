import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { Empty } from '../../design/Empty.tsx';
import { useWords } from '../../i18n/use-words.ts';

export function NoPresets(): ReactNode {
  const { t } = useWords();
  return (
    <Empty title={t('presets.emptyTitle')}>
      <p>{t('presets.emptyText')}</p>
      <p>
        <Link href="/">{t('presets.findStations')}</Link>
      </p>
    </Empty>
  );
}
