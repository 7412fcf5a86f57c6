import { Fragment, type ReactNode, memo } from 'react';
import { Link } from 'wouter';
import { Logo } from '../../design/Logo.tsx';
import { Sign } from '../../design/Sign.tsx';
import { PlayButton } from '../../player/controls/PlayButton.tsx';
import { useStatusOf } from '../../player/use-player.ts';
import { useWords } from '../../i18n/use-words.ts';
import { Heart } from '../Heart.tsx';
import { type Item, heardOf } from '../item.ts';
import styles from './ItemRow.module.css';
import { lengthText } from '../length-text.ts';

interface Props {
  item: Item;
  /** What is on now, if known more recently than in the list; '' if that is nothing. */
  playing?: string | undefined;
  isFirst?: boolean;
  /** Before the logo: the number of a preset. */
  before?: ReactNode;
  /** Under the name, instead of the list's text. */
  beneath?: ReactNode;
  /** Not in a list of presets, where it would make the row disappear. */
  hasHeart?: boolean;
}

/** A station, show or topic: its picture, its name, what is on, and a play button. */
export const ItemRow = memo(function ItemRow({
  item,
  playing,
  isFirst = false,
  before,
  beneath,
  hasHeart = true,
}: Props): ReactNode {
  const { t, language } = useWords();
  const heard = heardOf(item);
  const isOn = useStatusOf(item.guideId) === 'playing';
  const notes = item.isUnavailable
    ? [t('items.unavailable')]
    : [item.aside, playing ?? item.subtext, item.seconds && lengthText(item.seconds, language)];
  return (
    <div className={styles['row']} data-on={isOn || undefined}>
      {before}
      <Logo
        guideId={(item.logoId ?? item.guideId) || undefined}
        name={item.name}
        size={56}
        isFirst={isFirst}
      />
      <div className={styles['words']}>
        <span className={styles['name']}>
          {item.href === undefined ? (
            <bdi>{item.name}</bdi>
          ) : (
            <Link href={item.href}>
              <bdi>{item.name}</bdi>
            </Link>
          )}
        </span>
        {beneath ?? <Notes notes={notes} />}
      </div>
      {heard && !item.isUnavailable && <PlayButton item={heard} />}
      {hasHeart && <RowHeart item={item} />}
      {item.kind === 'show' && (
        <span className={styles['leads']}>
          <Sign name="next" size={18} />
        </span>
      )}
    </div>
  );
});

/** Stations and shows can be presets; saved addresses, topics and menus cannot. */
function RowHeart({ item: { kind, guideId, name, aside, address } }: { item: Item }): ReactNode {
  if (guideId === undefined || address !== undefined || (kind !== 'station' && kind !== 'show')) return null;
  return <Heart preset={{ guideId, name, subtext: aside ?? '' }} />;
}

function Notes({ notes }: { notes: readonly (string | number | undefined)[] }): ReactNode {
  const said = notes.filter(Boolean);
  if (said.length === 0) return null;
  return (
    <span className={styles['notes']}>
      {said.map((note, at) => (
        <Fragment key={at}>
          {at > 0 && ' · '}
          <bdi>{note}</bdi>
        </Fragment>
      ))}
    </span>
  );
}
