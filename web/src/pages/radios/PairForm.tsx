import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { Button } from '../../design/Button.tsx';
import { Notice } from '../../session/forms/Notice.tsx';
import { pairRadio } from './radio-calls.ts';
import { useDoing } from '../../session/forms/use-doing.ts';
import { useFaultWords } from '../../session/forms/use-fault-words.ts';
import { useWords } from '../../i18n/use-words.ts';
import { parseCode, writeCode } from './code.ts';
import styles from './Radios.module.css';

/** The code that a radio shows, entered in large type as on the radio. */
export function PairForm({ onPaired }: { onPaired: () => void }): ReactNode {
  const { t } = useWords();
  const id = useId();
  const [typed, setTyped] = useState('');
  const [isPaired, setIsPaired] = useState(false);
  const { isBusy, error, run } = useDoing();
  const fault = useFaultWords(error).elsewhere([]);
  const code = parseCode(typed);
  const pair = async (): Promise<void> => {
    if (code === undefined || !(await run(() => pairRadio(code)))) return;
    setTyped('');
    setIsPaired(true);
    onPaired();
  };
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    setIsPaired(false);
    void pair();
  };
  return (
    <form className={styles['pair']} onSubmit={onSubmit} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{t('radios.pairTitle')}</h2>
      <p id={`${id}-how`}>{t('radios.pairHow')}</p>
      <div className={styles['code']}>
        <label htmlFor={id}>{t('radios.code')}</label>
        <input
          id={id}
          value={typed}
          onChange={({ target }) => setTyped(writeCode(target.value))}
          aria-describedby={`${id}-how`}
          aria-invalid={fault ? true : undefined}
          placeholder="ABCD EFGH"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          dir="ltr"
          required
        />
        <Button kind="main" type="submit" disabled={code === undefined} aria-busy={isBusy}>
          {t('radios.pair')}
        </Button>
      </div>
      {fault && <Notice kind="trouble">{fault}</Notice>}
      {isPaired && <Notice kind="well">{t('radios.paired')}</Notice>}
    </form>
  );
}
