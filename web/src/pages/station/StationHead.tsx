import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { Facts } from '../../items/details/Facts.tsx';
import { ItemHead } from '../../items/details/ItemHead.tsx';
import styles from './Station.module.css';
import type { StationFacts } from './station-facts.ts';

interface Props {
  facts: StationFacts;
  actions: ReactNode;
}

export function StationHead({ facts, actions }: Props): ReactNode {
  const { guideId, name, slogan, place, frequency, language, genre } = facts;
  return (
    <ItemHead guideId={guideId} name={name} actions={actions}>
      <Facts
        facts={[
          place,
          frequency,
          language,
          genre && <Link href={`/browse?id=${genre.id}`}>{genre.name}</Link>,
        ]}
      />
      {slogan !== undefined && <p className={styles['slogan']}>{slogan}</p>}
    </ItemHead>
  );
}
