import { type ReactNode, useState } from 'react';
import { initialsOf, tintOf } from './initials.ts';
import styles from './Logo.module.css';

interface Props {
  guideId: string | undefined;
  name: string;
  /** Width and height in pixels. */
  size?: number;
  /** True where the name is beside it, as nearly always: then it is not read out twice. */
  isNamed?: boolean;
  /** For logos visible on load; all others load lazily. */
  isFirst?: boolean;
}

/** A station's or show's picture from our own server. A missing one is drawn; a broken image is never shown. */
export function Logo({ guideId, name, size = 64, isNamed = true, isFirst = false }: Props): ReactNode {
  const [missing, setMissing] = useState<string>();
  const alt = isNamed ? '' : name;
  const box = { inlineSize: size, blockSize: size };
  if (guideId === undefined || missing === guideId) {
    const style = { ...box, fontSize: size * 0.38, backgroundColor: `hsl(${tintOf(name)} 32% 35%)` };
    return (
      <span
        className={styles['drawn']}
        style={style}
        {...(alt ? { role: 'img', 'aria-label': alt } : { 'aria-hidden': true })}
      >
        {initialsOf(name)}
      </span>
    );
  }
  return (
    <img
      className={styles['logo']}
      style={box}
      src={`/logos/${guideId}${size > 72 ? 'd' : 'q'}.png`}
      alt={alt}
      width={size}
      height={size}
      loading={isFirst ? 'eager' : 'lazy'}
      decoding="async"
      draggable={false}
      onError={() => setMissing(guideId)}
    />
  );
}
