import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { Broken } from '../../design/Broken.tsx';
import { Slow } from '../../design/Slow.tsx';
import { Tabs } from '../../design/Tabs.tsx';
import { ItemRow } from '../../items/lists/ItemRow.tsx';
import list from '../../items/lists/ItemList.module.css';
import { asPreset } from '../../saved/as-items.ts';
import { useSaved } from '../../saved/saved.ts';
import { useFolders } from '../../saved/use-folders.ts';
import type { Folder, Preset } from '../../session/calls/preset-calls.ts';
import { useSession } from '../../session/use-session.ts';
import { useWords } from '../../i18n/use-words.ts';
import styles from './Home.module.css';
import { presetItem } from './preset-item.ts';

/** The presets of the listener's account, or those of this browser. */
export function YourPresets(): ReactNode {
  const { account } = useSession();
  const { presets } = useSaved();
  if (account) return <OfAccount username={account.username} />;
  return presets.length > 0 ? (
    <Mine>
      <Buttons presets={presets.map(asPreset)} />
    </Mine>
  ) : null;
}

function Mine({ children }: { children: ReactNode }): ReactNode {
  const { t } = useWords();
  return (
    <section className={styles['part']}>
      <div className={styles['head']}>
        <h2>{t('home.presets')}</h2>
        <Link href="/presets" className={styles['all'] ?? ''}>
          {t('home.all')}
        </Link>
      </div>
      {children}
    </section>
  );
}

function OfAccount({ username }: { username: string }): ReactNode {
  const { value, error, isWaiting, again } = useFolders(username);
  return (
    <Mine>
      {isWaiting && <Slow />}
      {error !== undefined && <Broken error={error} again={again} level={3} />}
      {value && <Folders folders={value} />}
    </Mine>
  );
}

function Folders({ folders }: { folders: readonly Folder[] }): ReactNode {
  const { t } = useWords();
  const [chosen, setChosen] = useState<string>();
  const open =
    folders.find(({ id }) => id === chosen) ?? folders.find(({ isDefault }) => isDefault) ?? folders[0];
  if (!open || folders.every(({ presets }) => presets.length === 0))
    return <p className={styles['quiet']}>{t('home.noPresets')}</p>;
  if (folders.length === 1) return <Buttons presets={open.presets} />;
  const tabs = folders.map(({ id, name }) => ({ id, title: name }));
  return (
    <Tabs label={t('home.presets')} tabs={tabs} chosen={open.id} onChoose={setChosen}>
      <Buttons presets={open.presets} />
    </Tabs>
  );
}

function Buttons({ presets }: { presets: readonly Preset[] }): ReactNode {
  return (
    <ul className={list['grid']}>
      {presets.map((preset) => (
        <li key={preset.id}>
          <ItemRow
            item={presetItem(preset)}
            hasHeart={false}
            before={<span className={styles['number']}>{preset.number}</span>}
          />
        </li>
      ))}
    </ul>
  );
}
