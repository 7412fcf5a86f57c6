import { type FormatMask, STREAM_FORMATS, formatBit } from '../lib/stream-format.ts';
import { ProfileFields } from './profile-fields.ts';

/** `tested`: a program in our own tests plays by it. `confirmed`: its makers or owners say so. `inferred`: nobody does. */
export const GRADES = ['tested', 'confirmed', 'inferred'] as const;
/** `none`: it cannot. `old`: it may, but plain HTTP is safer. `modern`: as well as plain HTTP. */
export const TLS = ['none', 'old', 'modern'] as const;
export const PLAYLISTS = ['m3u', 'pls', 'asx', 'xspf'] as const;

/** How a family of devices is recognised; the more letters of a User-Agent match, the surer. */
export interface ProfileMatch {
  readonly userAgents: readonly string[];
  readonly partnerIds: readonly string[];
  /** Whole lists as the device sends them in `formats`. */
  readonly formats: readonly string[];
}

/** What a family of devices can play. */
export interface DeviceProfile {
  readonly id: string;
  readonly name: string;
  readonly grade: (typeof GRADES)[number];
  /** How that is known. */
  readonly evidence: string;
  readonly match: ProfileMatch;
  readonly formats: FormatMask;
  /** When a call names no formats: those that nearly everything plays come first. */
  readonly safestFirst: boolean;
  readonly tls: (typeof TLS)[number];
  /** Who called by HTTPS is a page reached by HTTPS, on which browsers block what is not. */
  readonly secureFirst: boolean;
  /** How often in a row it follows; Infinity when nobody has found an end. */
  readonly redirects: number;
  /** Which kinds it reads inside the playlist it is given. */
  readonly playlists: readonly (typeof PLAYLISTS)[number][];
  readonly maxAddressLength: number;
  /** Stations in a group of a menu, for who says `device=` and whose partner does not say. */
  readonly pageSize: number | undefined;
  /** It adds an entry for presets to the index by itself. */
  readonly ownPresets: boolean;
}

const NAMES = [
  'name',
  'grade',
  'evidence',
  'match',
  'formats',
  'safestFirst',
  'hls',
  'tls',
  'secureFirst',
  'redirects',
  'playlists',
  'maxAddressLength',
  'pageSize',
  'ownPresets',
] as const;
const PLAIN_FORMATS = STREAM_FORMATS.filter((format) => format !== 'hls');

/** The id is the file's name. Throws an error that says which field is wrong and what it must be. */
export function parseProfile(id: string, text: string): DeviceProfile {
  const fields = new ProfileFields(`${id}.json`, text, NAMES);
  const formats = fields.list('formats', PLAIN_FORMATS);
  return {
    id,
    name: fields.text('name', 80),
    grade: fields.oneOf('grade', GRADES),
    evidence: fields.text('evidence', 600),
    match: {
      userAgents: fields.inside('match').texts('userAgents'),
      partnerIds: fields.inside('match').texts('partnerIds'),
      formats: fields.inside('match').texts('formats'),
    },
    formats: maskOf(formats) | (fields.flag('hls') ? formatBit('hls') : 0),
    safestFirst: fields.has('safestFirst') && fields.flag('safestFirst'),
    tls: fields.oneOf('tls', TLS),
    secureFirst: fields.has('secureFirst') && fields.flag('secureFirst'),
    redirects: fields.countOrAny('redirects', 20),
    playlists: fields.list('playlists', PLAYLISTS),
    maxAddressLength: fields.has('maxAddressLength') ? fields.count('maxAddressLength', 2048) : Infinity,
    pageSize: fields.has('pageSize') ? fields.count('pageSize', 500) : undefined,
    ownPresets: fields.has('ownPresets') && fields.flag('ownPresets'),
  };
}

const maskOf = (formats: readonly (typeof STREAM_FORMATS)[number][]): FormatMask =>
  formats.reduce((mask, format) => mask | formatBit(format), 0);
