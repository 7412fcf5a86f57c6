import { findProfile } from '../../../core/devices/profiles.ts';
import { wordsFor } from '../../../core/i18n/words.ts';
import { type Coordinate, parseCoordinate } from '../../../lib/geo.ts';
import { parseHost } from '../../../net/http/caller/origin.ts';
import type { Caller } from '../call/caller.ts';

/**
 * Instead of a cell: most menus are the same everywhere, and an edge asks for them in this way first, so that it keeps one
 * for all cells.
 */
export const UNTOLD = '?';

/**
 * What a shared menu may know of its caller. Everybody of a class gets the same bytes, but for the parameters that each
 * finds in its own links.
 */
export interface CallerClass {
  /** `http://host`, where links lead. */
  origin: string;
  formats: number;
  language: string;
  /** What the partner agreed on; undefined for callers without a known partner. */
  partner: { stationsPerGroup: number; showsPerGroup: number } | undefined;
  /** The device profile that the caller claims. */
  device: string | undefined;
  /** Names an account or a device, without saying which. */
  isNamed: boolean;
  /** The cell of the map that the caller is in; undefined where nobody knows, UNTOLD for a menu that may not ask. */
  cell: Coordinate | typeof UNTOLD | undefined;
}

export function classOf(caller: Caller, cell: Coordinate | undefined): CallerClass {
  const { links, formats, words, partner, globals, isNamed } = caller;
  return {
    origin: links.origin,
    formats,
    language: words.language,
    partner: partner && {
      stationsPerGroup: partner.stations_per_group,
      showsPerGroup: partner.shows_per_group,
    },
    device: globals.device,
    isNamed,
    cell,
  };
}

/** One word without spaces, ampersands or percent signs, so that it goes into headers and addresses as it is. */
export function writeClass({
  origin,
  formats,
  language,
  partner,
  device,
  isNamed,
  cell,
}: CallerClass): string {
  const sizes = partner ? `${partner.stationsPerGroup},${partner.showsPerGroup}` : '';
  const where = typeof cell === 'object' ? `${cell.latitude},${cell.longitude}` : (cell ?? '');
  return [origin, formats, language, sizes, device ?? '', isNamed ? 'named' : '', where].join(';');
}

/** Undefined for everything that `writeClass` does not write. */
export function parseClass(text: string): CallerClass | undefined {
  const [origin = '', formats = '', language = '', sizes = '', device = '', named = '', where = '', more] =
    text.split(';');
  const [, host = ''] = /^https?:\/\/(.+)$/.exec(origin) ?? [];
  const isWhole =
    more === undefined &&
    parseHost(host) !== undefined &&
    /^\d{1,9}$/.test(formats) &&
    wordsFor(language).language === language &&
    /^(?:\d{1,5},\d{1,5})?$/.test(sizes) &&
    (device === '' || findProfile(device)?.id === device) &&
    (named === '' || named === 'named');
  if (!isWhole) return undefined;
  const cell = where === UNTOLD ? UNTOLD : where === '' ? undefined : parseCoordinate(where);
  if (where !== '' && cell === undefined) return undefined;
  const [stationsPerGroup = 0, showsPerGroup = 0] = sizes.split(',').map(Number);
  return {
    origin,
    formats: Number(formats),
    language,
    partner: sizes === '' ? undefined : { stationsPerGroup, showsPerGroup },
    device: device === '' ? undefined : device,
    isNamed: named === 'named',
    cell,
  };
}
