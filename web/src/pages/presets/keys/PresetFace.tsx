import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { Logo } from '../../../design/Logo.tsx';
import { linkTo } from '../../../directory/link-to.ts';
import { player } from '../../../player/player.ts';
import type { PlayerItem } from '../../../player/engine/state.ts';
import { useStatusOf } from '../../../player/use-player.ts';
import type { Preset } from '../../../session/calls/preset-calls.ts';
import { useWords } from '../../../i18n/use-words.ts';
import styles from './PresetKeys.module.css';

/** The face of a key: plays a station immediately, but opens a show, which is a list. */
export function PresetFace({ preset }: { preset: Preset }): ReactNode {
  const { t } = useWords();
  const item = presetItemOf(preset);
  const status = useStatusOf(item?.guideId);
  if (!item)
    return (
      <Link href={linkTo(preset) ?? '/presets'} className={styles['face'] ?? ''} draggable={false}>
        <Label preset={preset} />
      </Link>
    );
  const isOn = status === 'playing' || status === 'loading';
  return (
    <button
      type="button"
      className={styles['face']}
      aria-pressed={isOn}
      onClick={() => (status ? player.toggle() : player.play(item))}
    >
      <span className="heard-only">{t('player.play')}</span>
      <Label preset={preset} />
    </button>
  );
}

function Label({ preset }: { preset: Preset }): ReactNode {
  const { t } = useWords();
  const { guideId, name, number, subtext, url, isGone } = preset;
  return (
    <>
      <span className={styles['number']}>{number}</span>
      <Logo guideId={url === undefined ? guideId : undefined} name={name} size={52} />
      <span className={styles['name']} dir="auto">
        {name}
      </span>
      <span className={styles['subtext']} dir="auto">
        {isGone ? t('presets.gone') : subtext || url}
      </span>
    </>
  );
}

/** The player's item for a preset; undefined for what cannot be played directly, such as a show. */
function presetItemOf({ guideId, name, subtext, image, url }: Preset): PlayerItem | undefined {
  const shown = { guideId, name, subtext, image };
  if (url !== undefined) return { kind: 'station', ...shown, address: url };
  if (guideId.startsWith('s')) return { kind: 'station', ...shown };
  return guideId.startsWith('t') ? { kind: 'topic', ...shown } : undefined;
}
