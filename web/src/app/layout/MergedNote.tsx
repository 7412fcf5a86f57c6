import type { ReactNode } from 'react';
import { Button } from '../../design/Button.tsx';
import { Sign } from '../../design/Sign.tsx';
import { useMerge } from '../../saved/use-merge.ts';
import { useSession } from '../../session/use-session.ts';
import { useWords } from '../../i18n/use-words.ts';
import styles from './OfflineNote.module.css';

/** After signing in: how many presets came along from this browser. */
export function MergedNote(): ReactNode {
  const { t } = useWords();
  const { account } = useSession();
  const { merged, close } = useMerge(account?.username);
  return (
    <div role="status" className={styles['note']} hidden={merged === 0}>
      {merged > 0 && (
        <>
          {t('presets.merged', { count: merged })}
          <Button kind="bare" isRound aria-label={t('shell.close')} onClick={close}>
            <Sign name="close" size={20} />
          </Button>
        </>
      )}
    </div>
  );
}
