import type { ReactNode } from 'react';
import { Dialog } from '../../../design/Dialog.tsx';
import { presetExport } from '../../../session/calls/preset-calls.ts';
import { useWords } from '../../../i18n/use-words.ts';
import styles from '../Presets.module.css';

export function ExportDialog({ onClose }: { onClose: () => void }): ReactNode {
  const { t } = useWords();
  return (
    <Dialog title={t('presets.export')} onClose={onClose}>
      <dl className={styles['exports']}>
        <dt>
          <a href={presetExport('opml')} download>
            OPML
          </a>
        </dt>
        <dd>{t('presets.exportOpml')}</dd>
        <dt>
          <a href={presetExport('m3u')} download>
            M3U
          </a>
        </dt>
        <dd>{t('presets.exportM3u')}</dd>
      </dl>
    </Dialog>
  );
}
