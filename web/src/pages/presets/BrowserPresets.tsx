import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { Empty } from '../../design/Empty.tsx';
import { Sign } from '../../design/Sign.tsx';
import { asPreset } from '../../saved/as-items.ts';
import { inOrder, withPresetAt, without } from '../../saved/lists.ts';
import { saved, useSaved } from '../../saved/saved.ts';
import { signInFirst } from '../../session/next-page.ts';
import type { Preset } from '../../session/calls/preset-calls.ts';
import { useSession } from '../../session/use-session.ts';
import { useWords } from '../../i18n/use-words.ts';
import { PresetDialog } from './dialogs/PresetDialog.tsx';
import { PresetKeys } from './keys/PresetKeys.tsx';
import styles from './Presets.module.css';
import { UndoBar } from './UndoBar.tsx';

/** The presets of listeners without an account, saved in this browser; and what an account would add. */
export function BrowserPresets(): ReactNode {
  const { t } = useWords();
  const { presets: list, isLasting } = useSaved();
  const [asked, setAsked] = useState<Preset>();
  const [removed, setRemoved] = useState<Preset>();
  const presets = list.map(asPreset);
  return (
    <>
      {isLasting === false && <p className={styles['warning']}>{t('presets.notLasting')}</p>}
      {presets.length === 0 ? (
        <Empty title={t('presets.emptyTitle')}>
          <p>{t('presets.emptyHere')}</p>
          <p>
            <Link href="/">{t('presets.findStations')}</Link>
          </p>
        </Empty>
      ) : (
        <PresetKeys
          folder={{ id: 'browser', name: '', isDefault: true, presets }}
          onOrder={(ids) => void saved.change('presets', (now) => inOrder(now, ids))}
          onMore={setAsked}
        />
      )}
      {removed && (
        <UndoBar
          removed={{ folderId: 'browser', preset: removed }}
          onUndo={() => void restore(removed)}
          onClose={() => setRemoved(undefined)}
        />
      )}
      <WithAnAccount />
      {asked && (
        <PresetDialog
          preset={asked}
          others={[]}
          onClose={() => setAsked(undefined)}
          onRemove={() => {
            setRemoved(asked);
            void remove(asked);
          }}
          onMove={() => {}}
        />
      )}
    </>
  );
}

const remove = ({ guideId }: Preset): Promise<void> =>
  saved.change('presets', (now) => without(now, [guideId]));
const restore = ({ guideId, name, subtext, number }: Preset): Promise<void> =>
  saved.change('presets', (now) => withPresetAt(now, { guideId, name, subtext }, number - 1));

/** Leads to an account, or says why there is none here. */
function WithAnAccount(): ReactNode {
  const { t } = useWords();
  const { door } = useSession();
  if (door === undefined) return null;
  return (
    <aside className={styles['radio']}>
      <Sign name="radio" size={32} />
      <div>
        <h2>{t('presets.hereTitle')}</h2>
        <p>
          {t(
            door === 'open'
              ? 'presets.hereText'
              : door === 'insecure'
                ? 'account.insecure'
                : 'account.closed',
          )}
        </p>
      </div>
      {door === 'open' && (
        <>
          <Link href={signInFirst('/presets')}>{t('shell.signIn')}</Link>
          <Link href="/register?next=%2Fpresets">{t('account.makeOne')}</Link>
        </>
      )}
    </aside>
  );
}
