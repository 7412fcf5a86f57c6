import { findProfile } from '../../../core/devices/profiles.ts';
import { type FormatMask, parseFormats } from '../../../lib/stream-format.ts';
import { type Globals, suffixOf } from '../../../formats/opml/links.ts';
import { parseLocale } from '../../../core/i18n/locale.ts';
import { type Params, readParams } from './params.ts';
import { memoize } from '../../../lib/memoize.ts';

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
 * nobody are cached; others are parsed anew, so nothing about a listener is stored.
 */
export function parseQuery(query: string, form = ''): ParsedQuery {
  if (form !== '') return interpret(readParams(query, form));
  const before = known.get(query);
  if (before) return before;
  const reading = interpret(readParams(query));
  if (!reading.isPersonal && query.length <= MAX_KEPT_LENGTH) keep(query, reading);
  return reading;
}

function keep(query: string, reading: ParsedQuery): void {
  if (known.size >= MAX_KEPT) known.clear();
  known.set(query, reading);
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
