import { type ReactNode, useState } from 'react';
import { Broken } from '../../design/Broken.tsx';
import { Button } from '../../design/Button.tsx';
import { Field } from '../../design/Field.tsx';
import { endAppPassword, listApps, makeAppPassword, type SiteApp } from './app-calls.ts';
import { Notice } from '../../session/forms/Notice.tsx';
import { useDoing } from '../../session/forms/use-doing.ts';
import { useFaultWords } from '../../session/forms/use-fault-words.ts';
import { useQueue } from '../../session/use-queue.ts';
import type { SiteAccount } from '../../session/use-session.ts';
import { useSite } from '../../session/use-site.ts';
import { useWords } from '../../i18n/use-words.ts';
import { writeAgo } from '../radios/ago.ts';
import { Setting } from './Setting.tsx';
import styles from './Settings.module.css';

const MAX_NAME_LENGTH = 60;

/** Apps for podcasts and music sign in with passwords of their own, one each. */
export function AppsSetting({ account }: { account: SiteAccount }): ReactNode {
  const { t } = useWords();
  const { value: apps, error, again } = useSite(`apps ${account.username}`, listApps);
  const { error: fault, run } = useQueue(again);
  const trouble = useFaultWords(fault).elsewhere([]);
  return (
    <Setting title={t('settings.apps')} text={t('settings.appsText')}>
      {error !== undefined && <Broken error={error} again={again} level={3} />}
      {trouble && <Notice kind="trouble">{trouble}</Notice>}
      {apps && apps.length > 0 && (
        <ul className={styles['apps']}>
          {apps.map((app) => (
            <App key={app.id} app={app} onEnd={() => void run(() => endAppPassword(app.id))} />
          ))}
        </ul>
      )}
      <NewApp username={account.username} onMade={again} />
    </Setting>
  );
}

function App({ app: { app, lastUsed }, onEnd }: { app: SiteApp; onEnd: () => void }): ReactNode {
  const { t, language } = useWords();
  const used =
    lastUsed === null
      ? t('radios.neverCalled')
      : t('radios.called', { when: writeAgo(lastUsed, { now: Date.now(), language }) });
  return (
    <li>
      <div>
        <strong dir="auto">{app}</strong>
        <p>{used}</p>
      </div>
      <Button kind="grave" aria-label={t('settings.appEndName', { name: app })} onClick={onEnd}>
        {t('settings.appEnd')}
      </Button>
    </li>
  );
}

function NewApp({ username, onMade }: { username: string; onMade: () => void }): ReactNode {
  const { t } = useWords();
  const [name, setName] = useState('');
  const [made, setMade] = useState<{ app: string; password: string }>();
  const doing = useDoing();
  const fault = useFaultWords(doing.error).elsewhere([]);
  const make = async (): Promise<void> => {
    const { password } = await makeAppPassword(name.trim());
    setMade({ app: name.trim(), password });
    setName('');
    onMade();
  };
  return (
    <>
      <form onSubmit={doing.onSubmit(make)}>
        <Field
          label={t('settings.appName')}
          value={name}
          onChange={({ target }) => setName(target.value)}
          maxLength={MAX_NAME_LENGTH}
          placeholder="AntennaPod"
          autoComplete="off"
          required
        />
        {fault && <Notice kind="trouble">{fault}</Notice>}
        <Button type="submit" aria-busy={doing.isBusy} disabled={name.trim() === ''}>
          {t('settings.appMake')}
        </Button>
      </form>
      <div role="status">
        {made && (
          <dl className={styles['shown']}>
            <dt>{t('account.username')}</dt>
            <dd dir="ltr">{username}</dd>
            <dt>
              {t('account.password')} (<span dir="auto">{made.app}</span>)
            </dt>
            <dd dir="ltr">{made.password}</dd>
          </dl>
        )}
        {made && <p>{t('radios.passwordOnce')}</p>}
      </div>
    </>
  );
}
