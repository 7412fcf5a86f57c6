import type { ReactNode } from 'react';
import { Dial } from '../../design/Dial.tsx';
import { dialPlace } from '../../design/dial-place.ts';
import { Logo } from '../../design/Logo.tsx';
import styles from './ItemHead.module.css';

interface Props {
  guideId: string;
  name: string;
  /** Under the name. */
  children: ReactNode;
  actions: ReactNode;
}

/** The top of a station's or show's page: its picture, its name, and its actions. The needle moves to its position. */
export function ItemHead({ guideId, name, children, actions }: Props): ReactNode {
  return (
    <header className={styles['head']}>
      <div className={styles['logo']}>
        <Logo guideId={guideId} name={name} size={168} isFirst />
      </div>
      <div className={styles['words']}>
        <h1>
          <bdi>{name}</bdi>
        </h1>
        {children}
      </div>
      <div className={styles['actions']}>{actions}</div>
      <Dial at={dialPlace(guideId)} className={styles['dial'] ?? ''} />
    </header>
  );
}
