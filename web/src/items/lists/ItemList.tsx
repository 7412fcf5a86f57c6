import type { ReactNode, Ref } from 'react';
import { Link } from 'wouter';
import { Sign } from '../../design/Sign.tsx';
import type { Item } from '../item.ts';
import styles from './ItemList.module.css';
import { ItemRow } from './ItemRow.tsx';
import { underName } from './under-name.ts';
import type { Songs } from '../songs/use-playing.ts';

interface Props {
  items: readonly Item[];
  /** The songs that the stations play now, as far as they are watched. */
  songs?: Songs | undefined;
  /** `grid` fills the width; `column` is a single column. */
  shape?: 'grid' | 'column';
  areFirst?: boolean;
  /** The menu that is open beside this list. */
  here?: string | undefined;
  /** History state for links to menus: the path to them. */
  linkState?: object | undefined;
  ref?: Ref<HTMLUListElement>;
}

/** Playable items and menus, in the directory's order. */
export function ItemList({
  items,
  songs,
  shape = 'grid',
  areFirst = false,
  here,
  linkState,
  ref,
}: Props): ReactNode {
  return (
    <ul ref={ref} className={styles[shape]} data-places={items.every(isPlace) || undefined}>
      {items.map((item) => (
        <li key={item.key}>
          {isPlace(item) ? (
            <Place item={item} isHere={item.href !== undefined && item.href === here} linkState={linkState} />
          ) : (
            <ItemRow item={item} playing={songs && underName(item, songs)} isFirst={areFirst} />
          )}
        </li>
      ))}
    </ul>
  );
}

const isPlace = ({ kind }: Item): boolean => kind === 'link' || kind === 'text';

interface PlaceProps {
  item: Item;
  isHere: boolean;
  linkState: object | undefined;
}

function Place({ item: { name, href }, isHere, linkState }: PlaceProps): ReactNode {
  if (href === undefined) return <p className={styles['text']}>{name}</p>;
  return (
    <Link
      href={href}
      state={linkState}
      className={styles['place']}
      aria-current={isHere ? 'true' : undefined}
    >
      <span>
        <bdi>{name}</bdi>
      </span>
      <Sign name="next" size={16} />
    </Link>
  );
}
