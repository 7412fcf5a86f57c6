import { type ReactNode, useState } from 'react';
import { Field } from '../../../design/Field.tsx';
import { FormDialog } from '../../../session/forms/FormDialog.tsx';
import { type Folder, addPreset } from '../../../session/calls/preset-calls.ts';
import { useDoing } from '../../../session/forms/use-doing.ts';
import { useFaultWords } from '../../../session/forms/use-fault-words.ts';
import { useWords } from '../../../i18n/use-words.ts';
import styles from '../Presets.module.css';

interface Props {
  folder: Folder;
  onClose: () => void;
  onDone: () => void;
}

/** For streams that no directory lists: the listener's own server, or one at home. */
export function AddressDialog({ folder, onClose, onDone }: Props): ReactNode {
  const { t } = useWords();
  const [url, setUrl] = useState('');
  const [name, setName] = useState('');
  const doing = useDoing();
  const save = async (): Promise<void> => {
    await addPreset({ url: url.trim(), name: name.trim(), folderId: folder.id });
    onDone();
  };
  const faults = useFaultWords(doing.error);
  return (
    <FormDialog
      title={t('presets.addAddress')}
      doing={doing}
      save={save}
      onClose={onClose}
      className={styles['stack']}
    >
      <Field
        label={t('presets.address')}
        hint={t('presets.addressHint')}
        value={url}
        onChange={({ target }) => setUrl(target.value)}
        fault={faults.elsewhere(['name'])}
        type="url"
        inputMode="url"
        placeholder="https://"
        autoComplete="off"
        required
      />
      <Field
        label={t('account.name')}
        value={name}
        onChange={({ target }) => setName(target.value)}
        fault={faults.of('name')}
        autoComplete="off"
        required
      />
    </FormDialog>
  );
}
