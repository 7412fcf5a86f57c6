import { findProfile } from '../devices/profiles.ts';
import { type FormatMask, parseFormats } from '../lib/stream-format.ts';
import { type Globals, suffixOf } from '../opml/links.ts';
import { parseLocale } from './locale.ts';
import { type Params, readParams } from './params.ts';
import { remember } from './remember.ts';

export type Render = 'xml' | 'json';

/** What a call's parameters say by themselves, whoever sends them. */
export interface Reading {
  readonly params: Params;
  /** In lower case; '' when there is none. */
  readonly c: string;
  readonly render: Render;
  readonly globals: Globals;
  readonly formats: FormatMask;
  /** The globals as links repeat them. */
  readonly suffix: string;
  /** Names a listener, a device or where it stands. */
  readonly isPersonal: boolean;
}

const MOST_KEPT = 2000;
const LONGEST_KEPT = 300;
const known = new Map<string, Reading>();

/**
 * Reads a query string and a form. The applications of one kind ask for the same pages with the same words, so readings
 * of query strings that name nobody are kept; the others are made anew, and nothing of a listener stays.
 */
export function readCall(query: string, form = ''): Reading {
  if (form !== '') return interpret(readParams(query, form));
  const before = known.get(query);
  if (before) return before;
  const reading = interpret(readParams(query));
  if (!reading.isPersonal && query.length <= LONGEST_KEPT) keep(query, reading);
  return reading;
}

function keep(query: string, reading: Reading): void {
  if (known.size >= MOST_KEPT) known.clear();
  known.set(query, reading);
}

function interpret(params: Params): Reading {
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
const formatsOf = remember(parseFormats);

const readGlobals = (params: Params): Globals => ({
  formats: params.text('formats'),
  partnerId: params.text('partnerid'),
  serial: params.text('serial'),
  locale: askedLocale(params),
  username: params.text('username'),
  latlon: params.text('latlon'),
  device: knownDevice(params.text('device')),
});

/** Another word may mean something to the program that sent it, and is passed over like any parameter unknown here. */
const knownDevice = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : findProfile(text)?.id;

function askedLocale(params: Params): string | undefined {
  const locale = params.text('locale');
  const lang = params.text('lang');
  return (locale && parseLocale(locale)) ?? (lang && parseLocale(lang));
}
