import { type ReactNode, useState } from 'react';
import { Button } from '../../design/Button.tsx';
import { Sign } from '../../design/Sign.tsx';
import type { Radio } from './radio-calls.ts';
import { useWords } from '../../i18n/use-words.ts';
import { writeAgo } from './ago.ts';
import styles from './Radios.module.css';
import { RadioRequests } from './RadioRequests.tsx';
import { RenameDialog } from './RenameDialog.tsx';

interface Props {
  radio: Radio;
  onChanged: () => void;
  onDrop: () => void;
  onUndo: () => void;
}

/** One radio: its name, whether it has problems, when it was last seen and its recent requests. */
export function RadioCard({ radio, onChanged, onDrop, onUndo }: Props): ReactNode {
  const { t } = useWords();
  const [isRenaming, setIsRenaming] = useState(false);
  const isDropped = radio.droppedAt !== null;
  return (
    <li className={styles['card']} data-dropped={isDropped || undefined}>
      <Sign name="radio" size={36} />
      <About radio={radio} />
      <div className={styles['actions']}>
        {isDropped ? (
          <Button aria-label={`${t('account.undo')}: ${radio.name}`} onClick={onUndo}>
            {t('account.undo')}
          </Button>
        ) : (
          <>
            <Button
              aria-label={t('radios.renameName', { name: radio.name })}
              onClick={() => setIsRenaming(true)}
            >
              {t('radios.rename')}
            </Button>
            <Button kind="grave" aria-label={t('radios.dropName', { name: radio.name })} onClick={onDrop}>
              {t('radios.drop')}
            </Button>
          </>
        )}
      </div>
      {!isDropped && <RadioRequests radio={radio} />}
      {isRenaming && (
        <RenameDialog
          radio={radio}
          onClose={() => setIsRenaming(false)}
          onDone={() => {
            setIsRenaming(false);
            onChanged();
          }}
        />
      )}
    </li>
  );
}

function About({ radio }: { radio: Radio }): ReactNode {
  const { t, language } = useWords();
  const { name, sentence, isWell, lastSeen, droppedAt, partner, profile, isKnown } = radio;
  const called =
    lastSeen === null
      ? t('radios.neverCalled')
      : t('radios.called', { when: writeAgo(lastSeen, { now: Date.now(), language }) });
  const facts = [droppedAt === null ? called : '', partner === name ? '' : partner, profile];
  return (
    <div className={styles['about']}>
      <h3 dir="auto">{name}</h3>
      <p role="status" className={styles['sentence']} data-well={isWell || undefined}>
        {sentence}
      </p>
      <p className={styles['facts']}>{facts.filter(Boolean).join(' · ')}</p>
      {!isKnown && droppedAt === null && <p className={styles['facts']}>{t('radios.unknownHow')}</p>}
    </div>
  );
}
