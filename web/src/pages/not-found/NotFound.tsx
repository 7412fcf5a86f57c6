import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { usePageTitle } from '../../app/title.ts';
import { Empty } from '../../design/Empty.tsx';
import { useWords } from '../../i18n/use-words.ts';

export default function NotFound(): ReactNode {
  const { t } = useWords();
  usePageTitle(t('shell.notFoundTitle'));
  return (
    <Empty title={t('shell.notFoundTitle')} level={1}>
      <p>{t('shell.notFoundText')}</p>
      <p>
        <Link href="/">{t('shell.toHome')}</Link>
      </p>
    </Empty>
  );
}
