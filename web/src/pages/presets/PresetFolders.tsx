import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { Broken } from '../../design/Broken.tsx';
import { Button } from '../../design/Button.tsx';
import { Empty } from '../../design/Empty.tsx';
import { Sign } from '../../design/Sign.tsx';
import { Slow } from '../../design/Slow.tsx';
import { Tabs } from '../../design/Tabs.tsx';
import { Notice } from '../../session/forms/Notice.tsx';
import type { Preset } from '../../session/calls/preset-calls.ts';
import { useFaultWords } from '../../session/forms/use-fault-words.ts';
import { useWords } from '../../i18n/use-words.ts';
import { chosenFolder } from './folders.ts';
import { type Asked, PresetDialogs } from './dialogs/PresetDialogs.tsx';
import { PresetKeys } from './keys/PresetKeys.tsx';
import { PresetTools } from './PresetTools.tsx';
import styles from './Presets.module.css';
import { type Removed, UndoBar } from './UndoBar.tsx';
import { usePresets } from './use-presets.ts';

/** All folders as tabs, the chosen one as keys, and the actions for them. */
export function PresetFolders({ username }: { username: string }): ReactNode {
  const { t } = useWords();
  const changes = usePresets(username);
  const [chosen, setChosen] = useState<string>();
  const [asked, setAsked] = useState<Asked>();
  const [removed, setRemoved] = useState<Removed>();
  const fault = useFaultWords(changes.queue.error).elsewhere([]);
  const { value: folders, error, again } = changes.answer;
  if (error !== undefined) return <Broken error={error} again={again} />;
  const folder = folders && chosenFolder(folders, chosen);
  if (!folders || !folder) return <Slow />;
  const remove = (preset: Preset): void => {
    setRemoved({ folderId: folder.id, preset });
    changes.remove(folder.id, preset);
  };
  return (
    <>
      <Tabs
        label={t('presets.folders')}
        tabs={folders.map(({ id, name }) => ({ id, title: name }))}
        chosen={folder.id}
        onChoose={setChosen}
        after={
          <Button
            kind="bare"
            isRound
            aria-label={t('presets.newFolder')}
            onClick={() => setAsked({ kind: 'newFolder' })}
          >
            <Sign name="plus" />
          </Button>
        }
      >
        {fault && <Notice kind="trouble">{fault}</Notice>}
        {folder.presets.length === 0 ? (
          <NoPresets />
        ) : (
          <PresetKeys
            folder={folder}
            onOrder={(ids) => changes.order(folder.id, ids)}
            onMore={(preset) => setAsked({ kind: 'preset', preset })}
          />
        )}
        <PresetTools folder={folder} isOnly={folders.length === 1} onAsk={setAsked} />
      </Tabs>
      {removed && (
        <UndoBar
          removed={removed}
          onUndo={() => changes.restore(removed.folderId, removed.preset)}
          onClose={() => setRemoved(undefined)}
        />
      )}
      <OnARadio />
      <PresetDialogs
        asked={asked}
        folder={folder}
        folders={folders}
        onClose={() => setAsked(undefined)}
        onRemove={remove}
        onMove={changes.move}
        onChanged={(folderId) => {
          if (folderId !== undefined) setChosen(folderId);
          again();
        }}
      />
    </>
  );
}

function NoPresets(): ReactNode {
  const { t } = useWords();
  return (
    <Empty title={t('presets.emptyTitle')}>
      <p>{t('presets.emptyText')}</p>
      <p>
        <Link href="/">{t('presets.findStations')}</Link>
      </p>
    </Empty>
  );
}

function OnARadio(): ReactNode {
  const { t } = useWords();
  return (
    <aside className={styles['radio']}>
      <Sign name="radio" size={32} />
      <div>
        <h2>{t('presets.onRadioTitle')}</h2>
        <p>{t('presets.onRadioText')}</p>
      </div>
      <Link href="/radios">{t('presets.onRadioLink')}</Link>
    </aside>
  );
}
