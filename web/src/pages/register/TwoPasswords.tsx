import type { ReactNode } from 'react';
import { Sign } from '../../design/Sign.tsx';
import { useWords } from '../../i18n/use-words.ts';
import styles from './TwoPasswords.module.css';

/** Why there are two: one for people and keyboards, one for radios with a knob. */
export function TwoPasswords(): ReactNode {
  const { t } = useWords();
  return (
    <aside className={styles['two']} aria-labelledby="two-passwords">
      <h2 id="two-passwords">{t('register.twoTitle')}</h2>
      <dl>
        <div>
          <dt>
            <Sign name="person" />
            {t('register.twoSite')}
          </dt>
          <dd>{t('register.twoSiteText')}</dd>
        </div>
        <div>
          <dt>
            <Sign name="radio" />
            {t('register.twoRadio')}
          </dt>
          <dd>{t('register.twoRadioText')}</dd>
        </div>
      </dl>
    </aside>
  );
}
