import type { DeviceProfile } from '../devices/profile.ts';
import { ALL_FORMATS, type FormatMask } from '../lib/stream-format.ts';

/** What is known of the device that will play. */
export interface Player {
  readonly formats: FormatMask;
  /** It named no formats: it is given streams of unknown format too. */
  readonly takesAll: boolean;
  /** Of those it named none of, MP3 first and HLS last. */
  readonly safestFirst: boolean;
  readonly tls: DeviceProfile['tls'];
  /** It is a page reached by HTTPS. */
  readonly secureFirst: boolean;
  readonly redirects: number;
  /** The kinds it reads behind the one it is given. */
  readonly playlists: readonly string[];
  readonly maxAddressLength: number;
}

export interface Asked {
  /** As the call says, or its partner. */
  formats: FormatMask;
  /** It called by HTTPS. One that called by HTTP may know TLS too, but most old radios do not. */
  isSecure: boolean;
  /** It wants no playlists behind the one it is given. */
  directOnly: boolean;
}

/** The formats a call names narrow what its kind plays; where nothing would be left, the device knows itself best. */
export function playerOf(profile: DeviceProfile, { formats, isSecure, directOnly }: Asked): Player {
  const takesAll = (formats & ALL_FORMATS) === ALL_FORMATS;
  return {
    formats: formats & profile.formats || formats,
    takesAll,
    safestFirst: takesAll && profile.safestFirst,
    tls: isSecure && profile.tls === 'old' ? 'modern' : profile.tls,
    secureFirst: isSecure && profile.secureFirst,
    redirects: profile.redirects,
    playlists: directOnly ? NONE : profile.playlists,
    maxAddressLength: profile.maxAddressLength,
  };
}

const NONE: readonly string[] = [];
