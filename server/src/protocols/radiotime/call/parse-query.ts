import { findProfile } from '../../../core/devices/profiles.ts';
import { type FormatMask, parseFormats } from '../../../lib/stream-format.ts';
import { type Globals, suffixAroundSerial, suffixOf } from '../../../formats/opml/links.ts';
import { parseLocale } from '../../../core/i18n/locale.ts';
import { type Params, readParams } from './params.ts';
import { memoize } from '../../../lib/memoize.ts';
import { FREE_TEXT } from '../../../net/http/cut-text.ts';
import { HTTP_LIMITS } from '../../../net/http/limits.ts';

export type Render = 'xml' | 'json';

/** What the parameters say, independent of the caller. */
export interface ParsedQuery {
  readonly params: Params;
  /** In lower case; '' when absent. */
  readonly c: string;
  readonly render: Render;
  readonly globals: Globals;
  readonly formats: FormatMask;
  /** The global parameters as links repeat them. */
  readonly suffix: string;
  /** Names a listener, a device or its position. */
  readonly isPersonal: boolean;
}

const MAX_KEPT = 2000;
const MAX_KEPT_LENGTH = 300;
const known = new Map<string, ParsedQuery>();

/**
 * Parses a query string and a form. Applications of one kind send the same query strings, so results that identify
 * nobody are cached, and devices of one kind differ by their serial alone; others are parsed anew, so nothing about a
 * listener is stored.
 */
export function parseQuery(query: string, form = ''): ParsedQuery {
  if (form !== '') return interpret(readParams(query, form));
  return known.get(query) ?? readOfDevice(query) ?? readAnew(query);
}

function readAnew(query: string): ParsedQuery {
  const reading = interpret(readParams(query));
  if (!reading.isPersonal && query.length <= MAX_KEPT_LENGTH) keep(known, query, reading);
  return reading;
}

/** What all devices of a kind say, and the suffix of their links, around the serial. */
interface SharedReading extends ParsedQuery {
  suffixBefore: string;
  suffixBehind: string;
}

const ofDevices = new Map<string, SharedReading>();
/** As it is written and repeated by everybody; of another, the long way finds out what is wrong. */
const SERIAL = /(?:^|&)serial=([\w-]{1,64})(?=&|$)/;

/** As they are usually written, so that such a query is not parsed twice. */
const SURELY_PERSONAL = /(?:^|&)(?:username|latlon|password|email|query|text|partnerKey)=/;

/** A query apart from its serial, if that is already known. */
function readOfDevice(query: string): ParsedQuery | undefined {
  const found = query.length > MAX_KEPT_LENGTH ? undefined : SERIAL.exec(query);
  const serial = found?.[1];
  if (!found || serial === undefined) return undefined;
  const shared = query.slice(0, found.index) + query.slice(found.index + found[0].length);
  const reading = ofDevices.get(shared) ?? readShared(shared);
  if (!reading) return undefined;
  const { params, c, render, globals, formats, suffixBefore, suffixBehind } = reading;
  return {
    params: params.withSerial(serial),
    c,
    render,
    globals: { ...globals, serial },
    formats,
    suffix: suffixBefore + serial + suffixBehind,
    isPersonal: true,
  };
}

/** Undefined where the serial may not be taken out: it would be one parameter too many, or ends a text that goes on behind it. */
function readShared(shared: string): SharedReading | undefined {
  if (SURELY_PERSONAL.test(shared) || shared.split('&').length >= HTTP_LIMITS.maxParams) return undefined;
  const reading = unlessRefused(shared);
  if (!reading || reading.isPersonal || FREE_TEXT.some((name) => reading.params.has(name))) return undefined;
  const [suffixBefore, suffixBehind] = suffixAroundSerial(reading.globals);
  const made = { ...reading, suffixBefore, suffixBehind };
  keep(ofDevices, shared, made);
  return made;
}

/** The long way says what is wrong, in the order of the whole. */
function unlessRefused(query: string): ParsedQuery | undefined {
  try {
    return interpret(readParams(query));
  } catch {
    return undefined;
  }
}

function keep<T>(readings: Map<string, T>, query: string, reading: T): void {
  if (readings.size >= MAX_KEPT) readings.clear();
  readings.set(query, reading);
}

function interpret(params: Params): ParsedQuery {
  const globals = readGlobals(params);
  return {
    params,
    c: params.text('c')?.toLowerCase() ?? '',
    render: params.text('render')?.toLowerCase() === 'json' ? 'json' : 'xml',
    globals,
    formats: formatsOf(globals.formats ?? ''),
    suffix: suffixOf(globals),
    isPersonal: PERSONAL.some((name) => params.has(name)),
  };
}

const PERSONAL = [
  'serial',
  'username',
  'latlon',
  'password',
  'email',
  'query',
  'text',
  'partnerkey',
] as const;
const formatsOf = memoize(parseFormats);

/** Names a device and nothing else of anybody. */
export const namesOnlyDevice = (params: Params): boolean =>
  PERSONAL.every((name) => params.has(name) === (name === 'serial'));

const readGlobals = (params: Params): Globals => ({
  formats: params.text('formats'),
  partnerId: params.text('partnerid'),
  serial: params.text('serial'),
  locale: askedLocale(params),
  username: params.text('username'),
  latlon: params.text('latlon'),
  device: knownDevice(params.text('device')),
});

/** Other values may mean something to the program that sent them; they are ignored like any unknown parameter. */
const knownDevice = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : findProfile(text)?.id;

function askedLocale(params: Params): string | undefined {
  const locale = params.text('locale');
  const lang = params.text('lang');
  return (locale && parseLocale(locale)) ?? (lang && parseLocale(lang));
}
