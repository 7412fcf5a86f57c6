import { type ReactNode, useEffect, useState } from 'react';
import { Button } from '../../design/Button.tsx';
import { Sign } from '../../design/Sign.tsx';
import { useWords } from '../../i18n/use-words.ts';
import styles from './Share.module.css';
import { type Shared, shareLink } from './share-link.ts';

/** As long as one needs to read it. */
const SAID_MS = 4000;

/** Hands a station's or show's page on to somebody. */
export function Share({ name, href }: { name: string; href: string }): ReactNode {
  const { t } = useWords();
  const [outcome, setOutcome] = useState<Shared>();
  const url = `${location.origin}/listen${href}`;
  useEffect(() => {
    if (outcome !== 'copied') return undefined;
    const timer = setTimeout(() => setOutcome(undefined), SAID_MS);
    return () => clearTimeout(timer);
  }, [outcome]);
  return (
    <span className={styles['share']}>
      <Button onClick={() => void shareLink(name, url).then(setOutcome)}>
        <Sign name="share" size={20} />
        {outcome === 'copied' ? t('items.copied') : t('items.share')}
      </Button>
      <span role="status" className="heard-only">
        {outcome === 'copied' && t('items.copied')}
      </span>
      {outcome === 'shown' && (
        <input
          readOnly
          value={url}
          aria-label={t('items.copyThis')}
          onFocus={({ target }) => target.select()}
        />
      )}
    </span>
  );
}
