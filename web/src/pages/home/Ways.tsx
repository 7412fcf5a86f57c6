import { type ReactNode, useMemo } from 'react';
import { Link } from 'wouter';
import { Sign, type SignName } from '../../design/Sign.tsx';
import { useAnswer } from '../../directory/use-answer.ts';
import chip from '../../items/chip.module.css';
import { type Item } from '../../items/item.ts';
import { sectionsOf } from '../../items/lists/sections.ts';
import { useSeen } from '../../items/use-seen.ts';
import type { MessageKey } from '../../i18n/messages.ts';
import { useWords } from '../../i18n/use-words.ts';
import styles from './Home.module.css';

/** The entries to the directory with a list worth showing here; each heading links to the full list. */
const WAYS = [
  { title: 'home.music', query: 'c=music', category: 'music' },
  { title: 'home.talk', query: 'c=talk', category: 'talk' },
  { title: 'home.sports', query: 'c=sports', category: 'sports' },
  { title: 'home.podcasts', query: 'c=podcast', category: 'podcast' },
  { title: 'home.languages', query: 'c=lang', category: 'lang' },
  { title: 'home.places', query: 'id=r0', category: 'world' },
] as const satisfies readonly { title: MessageKey; query: string; category: string }[];

const SHOWN = 8;

/** Everything in the directory, by genre, language and place. */
export function Ways(): ReactNode {
  const { t } = useWords();
  const [ref, isSeen] = useSeen<HTMLDivElement>();
  return (
    <section className={styles['part']}>
      <div className={styles['head']}>
        <h2>{t('home.ways')}</h2>
        <Lead href="/browse" sign="browse" text={t('shell.browse')} />
        <Lead href="/map" sign="map" text={t('shell.map')} />
      </div>
      <div ref={ref} className={styles['ways']}>
        {WAYS.map((way) => (
          <Way key={way.title} {...way} isSeen={isSeen} />
        ))}
      </div>
    </section>
  );
}

function Lead({ href, sign, text }: { href: string; sign: SignName; text: string }): ReactNode {
  return (
    <Link href={href} className={chip['chip']}>
      <Sign name={sign} size={18} />
      {text}
    </Link>
  );
}

type WayProps = (typeof WAYS)[number] & { isSeen: boolean };

function Way({ title, query, category, isSeen }: WayProps): ReactNode {
  const { t } = useWords();
  const { value, isWaiting } = useAnswer(isSeen ? `way ${category}` : undefined, (directory, call) =>
    directory.browse.category(category, call),
  );
  const links = useMemo(
    () => (value ? sectionsOf(value).flatMap(({ items }) => items.filter(isLink)) : []),
    [value],
  );
  return (
    <div className={styles['way']} data-slow={isWaiting || undefined}>
      <h3>
        <Link href={`/browse?${query}`}>{t(title)}</Link>
      </h3>
      <ul className={styles['links']}>
        {links.slice(0, SHOWN).map(({ key, name, href = '/' }) => (
          <li key={key}>
            <Link href={href} state={{ browsed: [query] }}>
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}

const isLink = ({ kind, href }: Item): boolean => kind === 'link' && href !== undefined;
