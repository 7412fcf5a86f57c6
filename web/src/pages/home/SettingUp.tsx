import { type ReactNode, useEffect, useState } from 'react';
import { Empty } from '../../design/Empty.tsx';
import { useWords } from '../../i18n/use-words.ts';
import { findSetup, type Setup } from '../../session/calls/operator-calls.ts';

const ASK_EVERY_MS = 3000;

interface Props {
  /** Called once stations may have come. */
  onEnd: () => void;
}

/** On the first day, while the directory is being filled: how far that is. Nothing where no setup runs. */
export function SettingUp({ onEnd }: Props): ReactNode {
  const { t } = useWords();
  const [setup, setSetup] = useState<Setup | null>(null);
  useEffect(() => {
    const ending = new AbortController();
    let wasRunning = false;
    const ask = async (): Promise<void> => {
      const now = await findSetup(ending.signal).catch(() => null);
      if (ending.signal.aborted) return;
      setSetup(now);
      if (wasRunning && now === null) onEnd();
      wasRunning = now !== null;
    };
    void ask();
    const asking = setInterval(() => void ask(), ASK_EVERY_MS);
    return () => {
      clearInterval(asking);
      ending.abort();
    };
  }, []);
  if (setup === null) return null;
  return (
    <Empty title={t('home.settingUp')}>
      <p role="status">
        {setup.step === 'stations' && setup.done > 0
          ? t('home.settingUpStations', { count: setup.done })
          : t('home.settingUpPlaces')}
      </p>
    </Empty>
  );
}
