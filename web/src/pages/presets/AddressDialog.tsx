import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { Button } from '../../design/Button.tsx';
import { Dialog } from '../../design/Dialog.tsx';
import { Field } from '../../design/Field.tsx';
import { type Folder, addPreset } from '../../session/preset-calls.ts';
import { useDoing } from '../../session/use-doing.ts';
import { useFaultWords } from '../../session/use-fault-words.ts';
import { useWords } from '../../words/use-words.ts';
import styles from './Presets.module.css';

interface Props {
  folder: Folder;
  onClose: () => void;
  onDone: () => void;
}

/** For what no directory knows: one's own server, a stream in the house. */
export function AddressDialog({ folder, onClose, onDone }: Props): ReactNode {
  const { t } = useWords();
  const id = useId();
  const [url, setUrl] = useState('');
  const [name, setName] = useState('');
  const { isBusy, error, run } = useDoing();
  const save = async (): Promise<void> => {
    await addPreset({ url: url.trim(), name: name.trim(), folderId: folder.id });
    onDone();
  };
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    void run(save);
  };
  const faults = useFaultWords(error);
  return (
    <Dialog
      title={t('presets.addAddress')}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t('shell.cancel')}</Button>
          <Button kind="main" type="submit" form={id} aria-busy={isBusy}>
            {t('shell.save')}
          </Button>
        </>
      }
    >
      <form id={id} className={styles['stack']} onSubmit={onSubmit}>
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
      </form>
    </Dialog>
  );
}
