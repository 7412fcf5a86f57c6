import type { ReactNode } from 'react';
import { Disclosure } from '../../design/Disclosure.tsx';
import { useWords } from '../../i18n/use-words.ts';
import styles from './Embed.module.css';
import { embedCode } from './embed-code.ts';

/** The small player for other people's pages, as code to paste. */
export function Embed({ guideId, name }: { guideId: string; name: string }): ReactNode {
  const { t } = useWords();
  return (
    <Disclosure title={t('station.embed')}>
      <label className={styles['code']}>
        {t('station.embedCode')}
        <textarea
          readOnly
          rows={3}
          dir="ltr"
          spellCheck={false}
          value={embedCode(location.origin, guideId, name)}
          onFocus={({ target }) => target.select()}
        />
      </label>
    </Disclosure>
  );
}
