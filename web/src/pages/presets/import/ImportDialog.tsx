import { type ReactNode, useState } from 'react';
import { Button } from '../../../design/Button.tsx';
import { Dialog } from '../../../design/Dialog.tsx';
import { type ImportPreview, type ImportText, confirmImport, previewImport } from './import-calls.ts';
import { Notice } from '../../../session/forms/Notice.tsx';
import { useDoing } from '../../../session/forms/use-doing.ts';
import { useFaultWords } from '../../../session/forms/use-fault-words.ts';
import { useWords } from '../../../i18n/use-words.ts';
import { isTooLong } from './import-file.ts';
import { ImportFound } from './ImportFound.tsx';
import { ImportSource } from './ImportSource.tsx';

interface Props {
  onClose: () => void;
  onChanged: () => void;
}

type Step =
  | { kind: 'source' }
  | { kind: 'found'; found: ImportPreview }
  | { kind: 'done'; added: number; skipped: number };

/** First shows a preview with unrecognised entries, then saves. */
export function ImportDialog({ onClose, onChanged }: Props): ReactNode {
  const { t } = useWords();
  const [source, setSource] = useState<ImportText>({ text: '' });
  const [step, setStep] = useState<Step>({ kind: 'source' });
  const { isBusy, error, run } = useDoing();
  const isLong = isTooLong(source.text);
  const fault = useFaultWords(error).elsewhere([]) ?? (isLong ? t('presets.importLong') : undefined);
  const look = async (): Promise<void> => setStep({ kind: 'found', found: await previewImport(source) });
  const save = async (): Promise<void> => {
    setStep({ kind: 'done', ...(await confirmImport(source)) });
    onChanged();
  };
  const actions = {
    source: (
      <Button
        kind="main"
        aria-busy={isBusy}
        disabled={source.text.trim() === '' || isLong}
        onClick={() => void run(look)}
      >
        {t('presets.importLook')}
      </Button>
    ),
    found: (
      <>
        <Button onClick={() => setStep({ kind: 'source' })}>{t('account.back')}</Button>
        <Button
          kind="main"
          aria-busy={isBusy}
          disabled={step.kind === 'found' && step.found.preview.length === 0}
          onClick={() => void run(save)}
        >
          {t('presets.importSave')}
        </Button>
      </>
    ),
    done: (
      <Button kind="main" onClick={onClose}>
        {t('shell.close')}
      </Button>
    ),
  };
  return (
    <Dialog title={t('presets.import')} onClose={onClose} actions={actions[step.kind]}>
      {fault && <Notice kind="trouble">{fault}</Notice>}
      {step.kind === 'source' && <ImportSource source={source} onChange={setSource} />}
      {step.kind === 'found' && <ImportFound found={step.found} />}
      {step.kind === 'done' && (
        <Notice kind="well">{t('presets.importDone', { added: step.added, skipped: step.skipped })}</Notice>
      )}
    </Dialog>
  );
}
