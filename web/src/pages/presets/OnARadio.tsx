import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { Sign } from '../../design/Sign.tsx';
import { useWords } from '../../i18n/use-words.ts';
import styles from './Presets.module.css';

export function OnARadio(): ReactNode {
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
