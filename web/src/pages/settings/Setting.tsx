import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { Button } from '../../design/Button.tsx';
import { Notice } from '../../session/forms/Notice.tsx';
import type { Doing } from '../../session/forms/use-doing.ts';
import { useFaultWords } from '../../session/forms/use-fault-words.ts';
import { useWords } from '../../i18n/use-words.ts';
import styles from './Settings.module.css';

interface Props {
  title: string;
  text?: string;
  children: ReactNode;
}

/** One setting: its description on one side, its control on the other. */
export function Setting({ title, text, children }: Props): ReactNode {
  const id = useId();
  return (
    <section className={styles['setting']} aria-labelledby={id}>
      <div>
        <h2 id={id}>{title}</h2>
        {text && <p>{text}</p>}
      </div>
      <div className={styles['how']}>{children}</div>
    </section>
  );
}

interface FormProps extends Props {
  doing: Doing;
  save: () => Promise<unknown>;
  /** Fields that show their errors themselves. */
  fields?: readonly string[];
  /** False while there is nothing to save. */
  isChanged: boolean;
  /** With a single field the title is its label; the real one is for screen readers only. */
  isSingle?: boolean;
}

/** A setting with a save button, which shows the outcome. */
export function SettingForm({
  title,
  text,
  children,
  doing,
  save,
  fields = [],
  isChanged,
  isSingle = false,
}: FormProps): ReactNode {
  const { t } = useWords();
  const [isSaved, setIsSaved] = useState(false);
  const fault = useFaultWords(doing.error).elsewhere(fields);
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    setIsSaved(false);
    void doing.run(save).then(setIsSaved);
  };
  return (
    <Setting title={title} {...(text === undefined ? {} : { text })}>
      <form onSubmit={onSubmit} data-single={isSingle || undefined}>
        {children}
        {fault && <Notice kind="trouble">{fault}</Notice>}
        <Button type="submit" aria-busy={doing.isBusy} disabled={!isChanged}>
          {t('shell.save')}
        </Button>
        {isSaved && !isChanged && <Notice kind="well">{t('settings.saved')}</Notice>}
      </form>
    </Setting>
  );
}
