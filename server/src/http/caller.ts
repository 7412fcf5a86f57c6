import type { IncomingMessage } from 'node:http';
import { TLSSocket } from 'node:tls';
import { type Coordinate, parseCoordinate } from '../lib/geo.ts';
import type { PartnerRow } from '../members/partners.ts';
import { type Words, wordsFor } from '../words/words.ts';
import { type FormatMask, parseFormats } from '../lib/stream-format.ts';
import type { Globals } from '../opml/links.ts';
import { type Network, geoAddress, isInside, plainAddress, securityAddress } from './addresses.ts';
import type { CallerLinks } from './caller-links.ts';
import { preferredLocale } from './locale.ts';
import { type Scheme, linkHost } from './origin.ts';
import type { Params } from './params.ts';
import type { Reading } from './reading.ts';
import { remember } from './remember.ts';

/** Who calls, from where, what it can play and which language it reads: the global parameters, read once. */
export interface Caller {
  partnerId: string | undefined;
  /** The application, when it is registered here. */
  partner: PartnerRow | undefined;
  username: string | undefined;
  serial: string | undefined;
  /** As it says itself, else as its partner's devices play. */
  formats: FormatMask;
  locale: string;
  /** What it is told, in the nearest language we speak. */
  words: Words;
  latlon: Coordinate | undefined;
  /** Whom limits and logs mean; only trusted proxies have a say in it. */
  securityIp: string;
  /** Where the listener is; the caller may say so. Good for finding stations near, for nothing else. */
  geoIp: string;
  scheme: Scheme;
  globals: Globals;
  /** `http://host` and the globals as they are appended to every link. */
  links: CallerLinks;
}

/** What the operator says about the network around the service. */
export interface Surroundings {
  publicHosts: readonly string[];
  trustedProxies: readonly Network[];
  findPartner?: ((id: string) => PartnerRow | undefined) | undefined;
  /**
   * What becomes of a call that names a partner which is not found: the partner it registers, or a Fault. Without it
   * such a call goes on as one without a partner.
   */
  admitPartner?: ((id: string) => Promise<PartnerRow>) | undefined;
}

export function readCaller(reading: Reading, request: IncomingMessage, surroundings: Surroundings): Caller {
  const { params, globals, formats, suffix, isPersonal } = reading;
  const { headers, socket } = request;
  const peer = plainAddress(socket.remoteAddress ?? '');
  const forwardedFor = headerText(headers['x-forwarded-for']);
  const securityIp = securityAddress(peer, forwardedFor, surroundings.trustedProxies);
  const scheme = schemeOf(request, peer, surroundings.trustedProxies);
  const locale = globals.locale ?? preferredLocale(headers['accept-language'] ?? '');
  const partner = globals.partnerId === undefined ? undefined : surroundings.findPartner?.(globals.partnerId);
  return {
    partnerId: globals.partnerId,
    partner,
    username: globals.username,
    serial: globals.serial,
    formats: globals.formats === undefined && partner?.formats ? formatsOf(partner.formats) : formats,
    locale,
    words: wordsOf(locale),
    latlon: globals.latlon === undefined ? undefined : whereabouts(params),
    securityIp,
    geoIp: partner?.may_forward_addresses === false ? securityIp : geoAddress(forwardedFor, securityIp),
    scheme,
    globals,
    links: {
      origin: originOf(scheme, linkHost(headers.host, surroundings.publicHosts, socket)),
      suffix,
      isPersonal,
    },
  };
}

/** In the sea off Africa, at 0,0, stands a device that does not know where it is. */
function whereabouts(params: Params): Coordinate | undefined {
  const said = params.optional('latlon', parseCoordinate);
  return said?.latitude === 0 && said.longitude === 0 ? undefined : said;
}

const wordsOf = remember(wordsFor);
const formatsOf = remember(parseFormats);
/** The same text for the same host, so that what is looked up by it need not be compared letter by letter. */
const plainOrigin = remember((host) => `http://${host}`);
const secureOrigin = remember((host) => `https://${host}`);
const originOf = (scheme: Scheme, host: string): string =>
  scheme === 'http' ? plainOrigin(host) : secureOrigin(host);

function schemeOf({ headers, socket }: IncomingMessage, peer: string, trusted: readonly Network[]): Scheme {
  if (socket instanceof TLSSocket) return 'https';
  const forwarded = headerText(headers['x-forwarded-proto']);
  if (forwarded === '' || !isInside(peer, trusted)) return 'http';
  return forwarded.split(',').at(-1)?.trim().toLowerCase() === 'https' ? 'https' : 'http';
}

const headerText = (value: string | string[] | undefined): string =>
  value === undefined || typeof value === 'string' ? (value ?? '') : value.join(',');
