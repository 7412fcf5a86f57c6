import { type ReactNode, useMemo } from 'react';
import { Link } from 'wouter';
import { Slow } from '../../design/Slow.tsx';
import { useAnswer } from '../../directory/use-answer.ts';
import chip from '../../items/chip.module.css';
import { ItemList } from '../../items/lists/ItemList.tsx';
import { type Section, sectionsOf } from '../../items/lists/sections.ts';
import { useSeen } from '../../items/use-seen.ts';
import { useWords } from '../../i18n/use-words.ts';
import styles from './Station.module.css';

/** Enough to choose from; the genre has the rest. */
const SIMILAR = 9;

/** Similar stations, and the networks and genres it belongs to. */
export function Related({ guideId }: { guideId: string }): ReactNode {
  const [ref, isSeen] = useSeen<HTMLDivElement>();
  const { value, isWaiting } = useAnswer(isSeen ? `related ${guideId}` : undefined, (directory, call) =>
    directory.browse.byId(guideId, [], call),
  );
  const sections = useMemo(() => (value ? sectionsOf(value) : []), [value]);
  // Optional: if it fails to load, nothing is shown.
  return (
    <div ref={ref} className={styles['related']}>
      {isWaiting && <Slow />}
      {sections.map((section) => (
        <Group key={section.key} section={section} />
      ))}
    </div>
  );
}

function Group({ section: { title, items, key } }: { section: Section }): ReactNode {
  const { t } = useWords();
  const isSimilar = key === 'recommendations';
  const places = items.filter(({ kind, href }) => kind === 'link' && href !== undefined);
  return (
    <section className={styles['group']}>
      <h2>{title ?? t('station.similar')}</h2>
      {isSimilar ? (
        <ItemList items={items.slice(0, SIMILAR)} />
      ) : (
        <ul className={chip['chips']}>
          {places.map(({ key: id, name, href = '/' }) => (
            <li key={id}>
              <Link href={href} className={chip['chip']}>
                {name}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
