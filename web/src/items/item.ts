import type { Outline } from '@longwave/client';
import { linkTo } from '../directory/link-to.ts';
import type { PlayerItem } from '../player/state.ts';

/** One line of a list as the site shows it: something to hear, or somewhere to go. */
export interface Item {
  kind: 'station' | 'show' | 'topic' | 'link' | 'text';
  /** Its own among its neighbours. */
  key: string;
  guideId: string | undefined;
  /** Whose picture stands beside it, where that is another's: a topic has its show's; '' for none. */
  logoId?: string | undefined;
  name: string;
  /** What the directory writes in brackets behind a station's name: its place, or near home its genre. */
  aside: string | undefined;
  /** The show on air, the song, the language, the day: whatever stands under the name. */
  subtext: string | undefined;
  /** The song among those; it was played when the list was made, and is soon over. */
  song?: string | undefined;
  /** The page of the site, without its base. */
  href: string | undefined;
  seconds: number | undefined;
  /** Of what a listener saved by its address: played as it is. */
  address?: string | undefined;
  /** True where the directory says that it cannot be heard here. */
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
  // Radios are led to a registration page there; here the presets have a page.
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

/** What the player takes of it; undefined for what is opened first, as a show is, since it is many. */
export function heardOf(item: Item): PlayerItem | undefined {
  const { kind, key, guideId, name, aside, address } = item;
  if (address !== undefined) return { kind: 'station', guideId: guideId ?? key, name, address };
  if ((kind !== 'station' && kind !== 'topic') || guideId === undefined) return undefined;
  // The player shows it for hours, and learns each song by itself.
  const lasting = item.song === undefined ? item.subtext : undefined;
  return { kind, guideId, name, subtext: lasting ?? aside };
}

/** `Harbour Folk (Cork, Ireland)` is a name and what stands beside it; brackets inside a name stay there. */
export function splitName(text: string): { name: string; aside: string | undefined } {
  // Fonts draw a letter with its mark well, and seldom a letter and a mark.
  const whole = text.normalize('NFC');
  const found = /^(?<name>.*\S)\s+\((?<aside>[^()]+(?:\([^()]*\)[^()]*)*)\)$/su.exec(whole);
  const { name, aside } = found?.groups ?? {};
  return name === undefined ? { name: whole, aside: undefined } : { name, aside };
}

const secondsOf = (text: string | undefined): number | undefined =>
  text !== undefined && Number(text) > 0 ? Number(text) : undefined;
