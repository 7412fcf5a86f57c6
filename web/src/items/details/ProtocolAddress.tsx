import { type ReactNode, useId, useState } from 'react';
import { Button } from '../../design/Button.tsx';
import { Sign } from '../../design/Sign.tsx';
import { useWords } from '../../i18n/use-words.ts';
import styles from './ProtocolAddress.module.css';

/** For developers: the protocol request that returns the same. */
export function ProtocolAddress({ address }: { address: string }): ReactNode {
  const { t } = useWords();
  const id = useId();
  const [isShown, setIsShown] = useState(false);
  return (
    <span className={styles['address']}>
      <Button
        kind="bare"
        isRound
        aria-label={t('items.address')}
        title={t('items.address')}
        aria-expanded={isShown}
        aria-controls={id}
        onClick={() => setIsShown(!isShown)}
      >
        <Sign name="code" size={20} />
      </Button>
      <span id={id} hidden={!isShown}>
        <a href={address} dir="ltr">
          {pathOf(address)}
        </a>
      </span>
    </span>
  );
}

const pathOf = (address: string): string => {
  const { pathname, search } = new URL(address, location.origin);
  return pathname + search;
};
