import type { Menu, Outline } from '@longwave/client';
import { type ReactNode, useEffect, useState } from 'react';
import { Broken } from '../../design/Broken.tsx';
import { Button } from '../../design/Button.tsx';
import { Dialog } from '../../design/Dialog.tsx';
import { Slow } from '../../design/Slow.tsx';
import { useDirectory } from '../../directory/use-directory.ts';
import { useWords } from '../../i18n/use-words.ts';
import styles from './ReportProblem.module.css';

/** Asks what is wrong, as radios do: each answer leads to the next question, and the last one to thanks. */
export function ReportProblem({ guideId }: { guideId: string }): ReactNode {
  const { t } = useWords();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button kind="bare" onClick={() => setIsOpen(true)}>
        {t('items.somethingWrong')}
      </Button>
      {isOpen && <Questions guideId={guideId} onClose={() => setIsOpen(false)} />}
    </>
  );
}

function Questions({ guideId, onClose }: { guideId: string; onClose: () => void }): ReactNode {
  const { t } = useWords();
  const { menu, error, answer, again } = useWizard(guideId);
  const choices = menu?.outlines.filter(({ url }) => url !== undefined) ?? [];
  const words = menu?.outlines.filter(({ url, text }) => url === undefined && text !== menu.title) ?? [];
  return (
    <Dialog title={menu?.title ?? t('items.somethingWrong')} onClose={onClose}>
      <div className={styles['question']} aria-live="polite">
        {error !== undefined && <Broken error={error} again={again} level={3} />}
        {menu === undefined && error === undefined && <Slow />}
        {words.map(({ text }) => (
          <p key={text}>{text}</p>
        ))}
        {choices.map((choice) => (
          <Button key={choice.url} onClick={() => answer(choice)}>
            {choice.text}
          </Button>
        ))}
        {menu && choices.length === 0 && (
          <Button kind="main" onClick={onClose}>
            {t('shell.close')}
          </Button>
        )}
      </div>
    </Dialog>
  );
}

interface Wizard {
  menu: Menu | undefined;
  error: unknown;
  answer: (choice: Outline) => void;
  again: () => void;
}

/** Answers are never prefetched or cached: the last one of a path files a report. */
function useWizard(guideId: string): Wizard {
  const directory = useDirectory();
  const [step, setStep] = useState<{ choice: Outline | undefined; attempt: number }>({
    choice: undefined,
    attempt: 0,
  });
  const [heard, setHeard] = useState<{ menu?: Menu; error?: unknown }>({});
  useEffect(() => {
    const ending = new AbortController();
    const call = { signal: ending.signal };
    setHeard({});
    const asked = step.choice ? directory.follow(step.choice, call) : directory.report.wizard(guideId, call);
    asked.then(
      (menu) => setHeard({ menu }),
      (error: unknown) => {
        if (!ending.signal.aborted) setHeard({ error });
      },
    );
    return () => ending.abort();
  }, [directory, guideId, step]);
  return {
    menu: heard.menu,
    error: heard.error,
    answer: (choice) => setStep({ choice, attempt: 0 }),
    again: () => setStep(({ choice, attempt }) => ({ choice, attempt: attempt + 1 })),
  };
}
