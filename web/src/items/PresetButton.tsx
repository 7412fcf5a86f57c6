import { type ReactNode, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { Button } from '../design/Button.tsx';
import { Sign } from '../design/Sign.tsx';
import { signInFirst } from '../session/next-page.ts';
import { type Preset, addPreset, listFolders, removePreset } from '../session/preset-calls.ts';
import { useSession } from '../session/use-session.ts';
import { useSite } from '../session/use-site.ts';
import { useWords } from '../i18n/use-words.ts';
import styles from './PresetButton.module.css';

/**
 * Adds a station or a show to the presets, or removes it. Without a session it links to the sign-in page, if there is
 * one.
 */
export function PresetButton({ guideId }: { guideId: string }): ReactNode {
  const { account, door } = useSession();
  const { t } = useWords();
  const [path] = useLocation();
  if (account === undefined || (account === null && door !== 'open')) return null;
  if (account !== null) return <Kept guideId={guideId} username={account.username} />;
  return (
    <Link href={signInFirst(path)} className={styles['lead']}>
      <Sign name="heart" size={20} />
      {t('items.signInToKeep')}
    </Link>
  );
}

function Kept({ guideId, username }: { guideId: string; username: string }): ReactNode {
  const { t } = useWords();
  const [hasFailed, setHasFailed] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  const { value, again } = useSite(`presets ${username}`, listFolders);
  const mine = value?.flatMap(({ presets }) => presets).find((preset) => preset.guideId === guideId);
  const change = async (): Promise<void> => {
    setIsBusy(true);
    setHasFailed(false);
    await changeOne(guideId, mine).catch(() => setHasFailed(true));
    setIsBusy(false);
    again();
  };
  return (
    <span className={styles['keep']}>
      <Button
        aria-pressed={mine !== undefined}
        disabled={value === undefined || isBusy}
        onClick={() => void change()}
      >
        <Sign name="heart" size={20} />
        {mine ? t('items.isPreset') : t('items.addPreset')}
      </Button>
      {hasFailed && <span role="alert">{t('items.presetFailed')}</span>}
    </span>
  );
}

const changeOne = (guideId: string, mine: Preset | undefined): Promise<unknown> =>
  mine ? removePreset(mine.id) : addPreset({ guideId });
