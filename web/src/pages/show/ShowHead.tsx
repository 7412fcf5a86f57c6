import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { Facts } from '../../items/details/Facts.tsx';
import type { Item } from '../../items/item.ts';
import { ItemHead } from '../../items/details/ItemHead.tsx';
import { Heart } from '../../items/Heart.tsx';
import { ReportProblem } from '../../items/details/ReportProblem.tsx';
import { hostOf } from '../../items/web-address.ts';
import { PlayButton } from '../../player/controls/PlayButton.tsx';
import styles from './Show.module.css';
import type { ShowFacts } from './show-facts.ts';

/** Play starts the newest topic: that is what most listeners come for. */
export function ShowHead({ facts, newest }: { facts: ShowFacts; newest: Item | undefined }): ReactNode {
  const { guideId, title, hosts, place, language, genre, description, homepage } = facts;
  const actions = (
    <>
      {newest?.guideId !== undefined && (
        <PlayButton
          item={{
            kind: 'topic',
            guideId: newest.guideId,
            name: newest.name,
            subtext: title,
            showId: guideId,
          }}
          isLarge
        />
      )}
      <Heart preset={{ guideId, name: title, subtext: hosts ?? '' }} isLarge />
      <ReportProblem guideId={guideId} />
    </>
  );
  return (
    <>
      <ItemHead guideId={guideId} name={title} actions={actions}>
        {hosts !== undefined && <p className={styles['hosts']}>{hosts}</p>}
        <Facts
          facts={[
            genre && <Link href={`/browse?id=${genre.id}`}>{genre.name}</Link>,
            language,
            place,
            homepage && (
              <a href={homepage} rel="noopener noreferrer nofollow" target="_blank">
                {hostOf(homepage)}
              </a>
            ),
          ]}
        />
      </ItemHead>
      {description !== undefined && (
        <p className={styles['description']} dir="auto">
          {description}
        </p>
      )}
    </>
  );
}
