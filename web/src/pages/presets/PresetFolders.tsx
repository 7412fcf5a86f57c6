import { type ReactNode, useState } from 'react';
import { Broken } from '../../design/Broken.tsx';
import { Button } from '../../design/Button.tsx';
import { Sign } from '../../design/Sign.tsx';
import { Slow } from '../../design/Slow.tsx';
import { Tabs } from '../../design/Tabs.tsx';
import { Notice } from '../../session/Notice.tsx';
import type { Preset } from '../../session/preset-calls.ts';
import { useFaultWords } from '../../session/use-fault-words.ts';
import { useWords } from '../../i18n/use-words.ts';
import { chosenFolder } from './folders.ts';
import { NoPresets } from './NoPresets.tsx';
import { OnARadio } from './OnARadio.tsx';
import { type Asked, PresetDialogs } from './PresetDialogs.tsx';
import { PresetKeys } from './PresetKeys.tsx';
import { PresetTools } from './PresetTools.tsx';
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
