import type { Outline } from '@longwave/client';
import { linkTo } from '../directory/link-to.ts';
import type { PlayerItem } from '../player/engine/state.ts';

/** One line of a list as the site shows it: something to play, or a menu to open. */
export interface Item {
  kind: 'station' | 'show' | 'topic' | 'link' | 'text';
  /** Unique within its list. */
  key: string;
  guideId: string | undefined;
  /** Whose picture is shown, if not its own: a topic has its show's; '' for none. */
  logoId?: string | undefined;
  name: string;
  /** What the directory adds in brackets to a station's name: its place, or near home its genre. */
  aside: string | undefined;
  /** The line under the name: the show on air, the song, the language or the day. */
  subtext: string | undefined;
  /** The song, if that is the line; as of when the list was made, and soon over. */
  song?: string | undefined;
  /** The page of the site, without its base. */
  href: string | undefined;
  seconds: number | undefined;
  /** For an address that the listener saved: played as it is. */
  address?: string | undefined;
  /** True if the directory says that it cannot be played here. */
  isUnavailable: boolean;
}

const KINDS = { s: 'station', p: 'show', t: 'topic' } as const;

export function readItem(outline: Outline): Item {
  const { text, guideId, subtext, url, key, image, attributes } = outline;
  const kind = kindOf(outline);
  const { name, aside } = kind === 'station' ? splitName(text) : { name: text, aside: undefined };
  return {
    kind,
    key: guideId ?? url ?? key ?? text,
    guideId,
    logoId: /\/logos\/([a-z]\d+)[a-z]?\.(?:png|jpg)$/.exec(image ?? '')?.[1],
    name,
    aside,
    subtext: attributes['playing'] ?? subtext,
    song: attributes['playing'],
    href: hrefOf(outline, kind),
    seconds: secondsOf(attributes['topic_duration']),
    isUnavailable: key === 'unavailable',
  };
}

function hrefOf({ key, guideId, url }: Outline, kind: Item['kind']): string | undefined {
  // There, radios are sent to a registration page; the site has a page for presets.
  if (key === 'presets') return '/presets';
  if (kind !== 'topic') return linkTo({ guideId, url });
  const show = url !== undefined && URL.canParse(url) ? new URL(url).searchParams.get('sid') : null;
  return linkTo({ guideId: show ?? undefined });
}

function kindOf({ type, guideId, url }: Outline): Item['kind'] {
  const letter = /^([spt])\d+$/.exec(guideId ?? '')?.[1];
  if (letter === 's' || letter === 'p' || letter === 't') return KINDS[letter];
  return type === 'text' || url === undefined ? 'text' : 'link';
}

/** What to pass to the player; undefined for what has to be opened first, such as a show with its many topics. */
export function heardOf(item: Item): PlayerItem | undefined {
  const { kind, key, guideId, name, aside, address } = item;
  if (address !== undefined) return { kind: 'station', guideId: guideId ?? key, name, address };
  if ((kind !== 'station' && kind !== 'topic') || guideId === undefined) return undefined;
  // The player shows it for hours, and follows the songs by itself.
  const lasting = item.song === undefined ? item.subtext : undefined;
  const showId = kind === 'topic' ? /^\/show\/(p\d+)$/.exec(item.href ?? '')?.[1] : undefined;
  return { kind, guideId, name, subtext: lasting ?? aside, ...(showId !== undefined && { showId }) };
}

/** `Harbour Folk (Cork, Ireland)` is a name and an aside; brackets inside a name stay there. */
export function splitName(text: string): { name: string; aside: string | undefined } {
  // Fonts draw precomposed letters well, combining marks seldom.
  const whole = text.normalize('NFC');
  const found = /^(?<name>.*\S)\s+\((?<aside>[^()]+(?:\([^()]*\)[^()]*)*)\)$/su.exec(whole);
  const { name, aside } = found?.groups ?? {};
  return name === undefined ? { name: whole, aside: undefined } : { name, aside };
}

const secondsOf = (text: string | undefined): number | undefined =>
  text !== undefined && Number(text) > 0 ? Number(text) : undefined;
