import { type ReactNode, useState } from 'react';
import { Field } from '../../design/Field.tsx';
import { useWords } from '../../i18n/use-words.ts';
import { FormDialog } from './FormDialog.tsx';
import { useDoing } from './use-doing.ts';
import { useFaultWords } from './use-fault-words.ts';

interface Props {
  title: string;
  hint?: string;
  name?: string;
  save: (name: string) => Promise<void>;
  onClose: () => void;
}

/** Names a folder or a radio. */
export function NameDialog({ title, hint, name = '', save, onClose }: Props): ReactNode {
  const { t } = useWords();
  const [text, setText] = useState(name);
  const doing = useDoing();
  return (
    <FormDialog title={title} doing={doing} save={() => save(text.trim())} onClose={onClose}>
      <Field
        label={t('account.name')}
        {...(hint === undefined ? {} : { hint })}
        value={text}
        onChange={({ target }) => setText(target.value)}
        fault={useFaultWords(doing.error).elsewhere([])}
        maxLength={60}
        required
        autoComplete="off"
      />
    </FormDialog>
  );
}
