import type { IncomingMessage } from 'node:http';
import { TLSSocket } from 'node:tls';
import { type Coordinate, parseCoordinate } from '../lib/geo.ts';
import { type FormatMask, parseFormats } from '../lib/stream-format.ts';
import { type Globals, type Links, suffixOf } from '../opml/links.ts';
import { type Network, geoAddress, isInside, plainAddress, securityAddress } from './addresses.ts';
import { parseLocale, preferredLocale } from './locale.ts';
import { type Scheme, linkHost } from './origin.ts';
import type { Params } from './params.ts';
import { remember } from './remember.ts';

/** Who calls, from where, what it can play and which language it reads: the global parameters, read once. */
export interface Caller {
  partnerId: string | undefined;
  username: string | undefined;
  serial: string | undefined;
  formats: FormatMask;
  locale: string;
  latlon: Coordinate | undefined;
  /** Whom limits and logs mean; only trusted proxies have a say in it. */
  securityIp: string;
  /** Where the listener is; the caller may say so. Good for finding stations near, for nothing else. */
  geoIp: string;
  scheme: Scheme;
  globals: Globals;
  /** `http://host` and the globals as they are appended to every link. */
  links: Links;
}

/** What the operator says about the network around the service. */
export interface Surroundings {
  publicHosts: readonly string[];
  trustedProxies: readonly Network[];
}

export function readCaller(params: Params, request: IncomingMessage, surroundings: Surroundings): Caller {
  const { headers, socket } = request;
  const peer = plainAddress(socket.remoteAddress ?? '');
  const forwardedFor = headerText(headers['x-forwarded-for']);
  const securityIp = securityAddress(peer, forwardedFor, surroundings.trustedProxies);
  const scheme = schemeOf(request, peer, surroundings.trustedProxies);
  const asked = askedLocale(params);
  const globals = readGlobals(params, asked);
  return {
    partnerId: globals.partnerId,
    username: globals.username,
    serial: globals.serial,
    formats: formatsOf(globals.formats ?? ''),
    locale: asked ?? preferredLocale(headers['accept-language'] ?? ''),
    latlon: params.optional('latlon', parseCoordinate),
    securityIp,
    geoIp: geoAddress(forwardedFor, securityIp),
    scheme,
    globals,
    links: {
      origin: `${scheme}://${linkHost(headers.host, surroundings.publicHosts, socket)}`,
      suffix: suffixOf(globals),
    },
  };
}

const formatsOf = remember(parseFormats);

const askedLocale = (params: Params): string | undefined =>
  parseLocale(params.text('locale') ?? '') ?? parseLocale(params.text('lang') ?? '');

function readGlobals(params: Params, locale: string | undefined): Globals {
  return {
    formats: params.text('formats'),
    partnerId: params.text('partnerid'),
    serial: params.text('serial'),
    locale,
    username: params.text('username'),
    latlon: params.text('latlon'),
  };
}

function schemeOf({ headers, socket }: IncomingMessage, peer: string, trusted: readonly Network[]): Scheme {
  if (socket instanceof TLSSocket) return 'https';
  const forwarded = headerText(headers['x-forwarded-proto']);
  if (forwarded === '' || !isInside(peer, trusted)) return 'http';
  return forwarded.split(',').at(-1)?.trim().toLowerCase() === 'https' ? 'https' : 'http';
}

const headerText = (value: string | string[] | undefined): string =>
  value === undefined || typeof value === 'string' ? (value ?? '') : value.join(',');
