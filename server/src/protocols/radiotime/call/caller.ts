import type { IncomingMessage } from 'node:http';
import type { PartnerRow } from '../../../core/accounts/partners/partners.ts';
import { preferredLocale } from '../../../core/i18n/locale.ts';
import { type Words, wordsFor } from '../../../core/i18n/words.ts';
import type { Globals, Links } from '../../../formats/opml/links.ts';
import { type Coordinate, parseCoordinate } from '../../../lib/geo.ts';
import { memoize } from '../../../lib/memoize.ts';
import { type FormatMask, parseFormats } from '../../../lib/stream-format.ts';
import type { Scheme } from '../../../net/http/caller/origin.ts';
import { type NetworkConfig, type Peer, readPeer } from '../../../net/http/caller/peer.ts';
import type { Params } from './params.ts';
import type { ParsedQuery } from './parse-query.ts';

/** The caller's identity, position, formats and language: the global parameters, parsed once. */
export interface Caller {
  partnerId: string | undefined;
  /** The application, if it is registered here. */
  partner: PartnerRow | undefined;
  username: string | undefined;
  serial: string | undefined;
  /** Names an account or a device. */
  isNamed: boolean;
  /** From the call, else the partner's default. */
  formats: FormatMask;
  locale: string;
  /** Texts in the nearest supported language. */
  words: Words;
  latlon: Coordinate | undefined;
  /** Only for a call on behalf of many (`edge/shared-call.ts`): the cell of the map they are in, null if unknown. */
  cell?: Coordinate | null | undefined;
  /** For limits and logs; only trusted proxies can change it. */
  securityIp: string;
  /** Where the listener is; the caller may claim anything, so only for finding stations nearby. */
  geoIp: string;
  scheme: Scheme;
  globals: Globals;
  /** `http://host`, and the global parameters that are appended to every link. */
  links: CallerLinks;
}

export type FindPartner = (id: string) => PartnerRow | undefined;

export function readCaller(
  reading: ParsedQuery,
  request: IncomingMessage,
  network: NetworkConfig,
  findPartner?: FindPartner,
): Caller {
  const { params, globals, formats, suffix, isPersonal } = reading;
  const peer = readPeer(request, network);
  const { address, scheme, origin } = peer;
  const locale = globals.locale ?? preferredLocale(request.headers['accept-language'] ?? '');
  const partner = globals.partnerId === undefined ? undefined : findPartner?.(globals.partnerId);
  return {
    partnerId: globals.partnerId,
    partner,
    username: globals.username,
    serial: globals.serial,
    isNamed: globals.username !== undefined || globals.serial !== undefined,
    formats: globals.formats === undefined && partner?.formats ? formatsOf(partner.formats) : formats,
    locale,
    words: wordsOf(locale),
    latlon: globals.latlon === undefined ? undefined : whereabouts(params),
    securityIp: address,
    geoIp: geoIpOf(peer, partner),
    scheme,
    globals,
    links: { origin, suffix, isPersonal },
  };
}

/** Where the listener is, as far as the partner may say it. */
export const geoIpOf = (
  { address, listenerAddress }: Peer,
  partner: Pick<PartnerRow, 'may_forward_addresses'> | undefined,
): string => (partner?.may_forward_addresses === false ? address : listenerAddress);

/** A device that sends 0,0 (in the sea off Africa) does not know its position. */
function whereabouts(params: Params): Coordinate | undefined {
  const said = params.optional('latlon', parseCoordinate);
  return said?.latitude === 0 && said.longitude === 0 ? undefined : said;
}

const wordsOf = memoize(wordsFor);
const formatsOf = memoize(parseFormats);

/** The caller-specific parts of links, and whether answers may be shared. */
export interface CallerLinks extends Links {
  /** Names a listener or a device, so that nobody else ever requests these bytes. */
  isPersonal: boolean;
}
