import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { Broken } from '../../design/Broken.tsx';
import { Slow } from '../../design/Slow.tsx';
import { Tabs } from '../../design/Tabs.tsx';
import { ItemRow } from '../../items/ItemRow.tsx';
import list from '../../items/ItemList.module.css';
import { type Folder, listFolders } from '../../session/preset-calls.ts';
import { useSession } from '../../session/use-session.ts';
import { useSite } from '../../session/use-site.ts';
import { useWords } from '../../i18n/use-words.ts';
import styles from './Home.module.css';
import { presetItem } from './preset-item.ts';

/** The presets of the listener's account; none without a session. */
export function YourPresets(): ReactNode {
  const { account } = useSession();
  return account ? <Mine username={account.username} /> : null;
}

function Mine({ username }: { username: string }): ReactNode {
  const { t } = useWords();
  const { value, error, isWaiting, again } = useSite(`presets ${username}`, listFolders);
  return (
    <section className={styles['part']}>
      <div className={styles['head']}>
        <h2>{t('home.presets')}</h2>
        <Link href="/presets" className={styles['all'] ?? ''}>
          {t('home.all')}
        </Link>
      </div>
      {isWaiting && <Slow />}
      {error !== undefined && <Broken error={error} again={again} level={3} />}
      {value && <Folders folders={value} />}
    </section>
  );
}

function Folders({ folders }: { folders: readonly Folder[] }): ReactNode {
  const { t } = useWords();
  const [chosen, setChosen] = useState<string>();
  const open =
    folders.find(({ id }) => id === chosen) ?? folders.find(({ isDefault }) => isDefault) ?? folders[0];
  if (!open || folders.every(({ presets }) => presets.length === 0))
    return <p className={styles['quiet']}>{t('home.noPresets')}</p>;
  if (folders.length === 1) return <Buttons folder={open} />;
  const tabs = folders.map(({ id, name }) => ({ id, title: name }));
  return (
    <Tabs label={t('home.presets')} tabs={tabs} chosen={open.id} onChoose={setChosen}>
      <Buttons folder={open} />
    </Tabs>
  );
}

function Buttons({ folder: { presets } }: { folder: Folder }): ReactNode {
  return (
    <ul className={list['grid']}>
      {presets.map((preset) => (
        <li key={preset.id}>
          <ItemRow
            item={presetItem(preset)}
            before={<span className={styles['number']}>{preset.number}</span>}
          />
        </li>
      ))}
    </ul>
  );
}
