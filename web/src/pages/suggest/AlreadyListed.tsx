import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { Notice } from '../../session/forms/Notice.tsx';
import { useWords } from '../../i18n/use-words.ts';

export function AlreadyListed({
  station: { id, name },
}: {
  station: { id: string; name: string };
}): ReactNode {
  const { t } = useWords();
  return (
    <Notice kind="well">
      {t('suggest.listed')}{' '}
      <Link href={`/station/${id}`}>
        <bdi>{name}</bdi>
      </Link>
    </Notice>
  );
}
