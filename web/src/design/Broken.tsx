import { DirectoryFault, NoAnswer } from '@longwave/client';
import { type ReactNode, useEffect } from 'react';
import { onReturn } from '../app/on-return.ts';
import type { MessageKey } from '../i18n/messages.ts';
import { useWords } from '../i18n/use-words.ts';
import { Button } from './Button.tsx';
import { Dial } from './Dial.tsx';
import { Heading, type Level } from './Heading.tsx';
import styles from './states.module.css';

interface Props {
  error: unknown;
  /** Retries; shown as a button. */
  again?: (() => void) | undefined;
  /** The same, once there is a network again or somebody looks at the page again; `again` unless told. */
  whenBack?: (() => void) | undefined;
  level?: Level;
}

/** Says in plain words what failed to load, and offers to try again. */
export function Broken({ error, again, whenBack = again, level = 2 }: Props): ReactNode {
  const { t } = useWords();
  useEffect(() => whenBack && onReturn(whenBack), [whenBack]);
  return (
    <div className={styles['state']} role="alert">
      <Dial at={0.02} className={styles['dial'] ?? ''} />
      <Heading level={level}>{t('state.brokenTitle')}</Heading>
      <p>{t(reasonOf(error))}</p>
      {again && <Button onClick={again}>{t('state.tryAgain')}</Button>}
    </div>
  );
}

function reasonOf(error: unknown): MessageKey {
  if (error instanceof DirectoryFault)
    return error.status === 429 || error.status === 503 ? 'state.brokenBusy' : 'state.brokenOther';
  return error instanceof NoAnswer || error instanceof TypeError
    ? 'state.brokenNetwork'
    : 'state.brokenOther';
}
