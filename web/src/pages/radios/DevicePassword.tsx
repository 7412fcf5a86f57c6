import { type ReactNode, useState } from 'react';
import { Button } from '../../design/Button.tsx';
import { newDevicePassword } from '../../session/calls/account-calls.ts';
import { Notice } from '../../session/forms/Notice.tsx';
import { useDoing } from '../../session/forms/use-doing.ts';
import { useFaultWords } from '../../session/forms/use-fault-words.ts';
import { useWords } from '../../i18n/use-words.ts';
import styles from './Radios.module.css';

/** For radios that need a user name and a password: a short one of their own, shown once. */
export function DevicePassword({ username }: { username: string }): ReactNode {
  const { t } = useWords();
  const [password, setPassword] = useState<string>();
  const { isBusy, error, run } = useDoing();
  const fault = useFaultWords(error).elsewhere([]);
  const make = async (): Promise<void> => setPassword((await newDevicePassword()).password);
  return (
    <section className={styles['section']} aria-labelledby="device-password">
      <h2 id="device-password">{t('radios.passwordTitle')}</h2>
      <p className={styles['explains']}>{t('radios.passwordText')}</p>
      {fault && <Notice kind="trouble">{fault}</Notice>}
      <div role="status">
        {password !== undefined && (
          <dl className={styles['shown']}>
            <dt>{t('account.username')}</dt>
            <dd dir="ltr">{username}</dd>
            <dt>{t('radios.password')}</dt>
            <dd dir="ltr">{password}</dd>
          </dl>
        )}
        {password !== undefined && <p className={styles['explains']}>{t('radios.passwordOnce')}</p>}
      </div>
      <Button aria-busy={isBusy} onClick={() => void run(make)}>
        {t('radios.passwordMake')}
      </Button>
    </section>
  );
}
