import type { MenuEntry } from './radio-model.ts';

/** How the firmware of a family reads a page. */
export interface ReaderTraits {
  /** `forbidden`: with it the list is empty. */
  itemCount: 'required' | 'forbidden';
  /** Whatever the page says. */
  encoding: 'utf-8' | 'latin1';
  /** Letters of a title that are never shown. */
  eaten: number;
  /** Addresses are read from the second character on. */
  spaceBeforeAddress: boolean;
  entities: readonly string[];
  /** Signs at which it stops in a text. */
  forbidden: RegExp | undefined;
  /** Above this it starts again. */
  maxItems: number;
  /** Every page but the first one begins with the way back. */
  wantsPrevious: boolean;
  /** An `&` in a link is lost. */
  losesAmpersand: boolean;
  /** What a station in a list has to have, in this order. */
  stationElements: readonly string[];
}

export interface VtunerEntry extends MenuEntry {
  type: string;
  elements: ReadonlyMap<string, string>;
}

export interface VtunerPage {
  count: number | undefined;
  previous: string | undefined;
  entries: VtunerEntry[];
}

export const FULL_STATION = [
  'StationId',
  'StationName',
  'StationUrl',
  'StationDesc',
  'Logo',
  'StationFormat',
  'StationLocation',
  'StationBandWidth',
  'StationMime',
  'Relia',
  'Bookmark',
];
export const SHORT_STATION = ['StationId', 'StationName', 'StationUrl', 'Bookmark'];

/** The elements of each kind, by position. */
const ELEMENTS: Readonly<Record<string, readonly string[]>> = {
  Previous: ['UrlPrevious', 'UrlPreviousBackUp'],
  Dir: ['Title', 'UrlDir', 'UrlDirBackUp', 'DirCount'],
  Display: ['Display'],
  Message: ['Message'],
  Search: [
    'SearchURL',
    'SearchURLBackUp',
    'SearchCaption',
    'SearchTextbox',
    'SearchButtonGo',
    'SearchButtonCancel',
  ],
  ShowOnDemand: [
    'ShowOnDemandID',
    'ShowOnDemandName',
    'Logo',
    'ShowOnDemandURL',
    'ShowOnDemandURLBackUp',
    'BookmarkShow',
  ],
  ShowEpisode: [
    'ShowEpisodeID',
    'ShowName',
    'Logo',
    'ShowEpisodeName',
    'ShowEpisodeURL',
    'BookmarkShow',
    'ShowDesc',
    'ShowFormat',
    'Lang',
    'Country',
    'ShowMime',
  ],
};
const KINDS: Readonly<Record<string, MenuEntry['kind']>> = {
  Dir: 'folder',
  Station: 'station',
  ShowOnDemand: 'show',
  ShowEpisode: 'episode',
  Search: 'search',
  Display: 'text',
  Message: 'text',
};
const TITLES = [
  'Title',
  'StationName',
  'ShowEpisodeName',
  'ShowOnDemandName',
  'SearchCaption',
  'Display',
  'Message',
];
const IDS = ['StationId', 'ShowEpisodeID', 'ShowOnDemandID'];
const ADDRESS = /ur[l]|logo|^bookmark/i;
const MAX_ID = 32;
const MAX_TEXT = 100;

const fail = (what: string): never => {
  throw new Error(`misread: ${what}`);
};

/** Reads a page line by line, each element by its position, and gives up at the first surprise. */
export function readVtunerPage(bytes: Buffer, traits: ReaderTraits, isWhole = false): VtunerPage {
  const text = new TextDecoder(traits.encoding, { fatal: true }).decode(bytes);
  const lines = text.split('\n');
  let at = 0;
  const next = (): string => lines[at++] ?? fail('the page ends too early');
  const expect = (line: string): void => void (next() === line || fail(`line ${at} is not ${line}`));
  if (!/^<\?xml version="1\.0" encoding="[\w-]+" standalone="yes" \?>$/.test(next())) fail('no declaration');
  expect('<ListOfItems>');
  const [, counted] = /^<ItemCount>(\d+)<\/ItemCount>$/.exec(lines[at] ?? '') ?? [];
  if ((counted === undefined) === (traits.itemCount === 'required')) fail('ItemCount');
  if (counted !== undefined) at += 1;
  if (lines[at] === '<NoDataCache>Yes</NoDataCache>') at += 1;
  const items: VtunerEntry[] = [];
  while (lines[at] === '<Item>') {
    at += 1;
    items.push(readItem(next, traits, isWhole));
    expect('</Item>');
  }
  expect('</ListOfItems>');
  if (lines.length !== at + 1 || lines[at] !== '') fail('something follows the list');
  const [first] = items;
  const previous = first?.type === 'Previous' ? first.elements.get('UrlPrevious') : undefined;
  const entries = previous === undefined ? items : items.slice(1);
  if (entries.some(({ type }) => type === 'Previous')) fail('a way back in the middle');
  if (items.length > traits.maxItems) fail(`${items.length} items`);
  const count = counted === undefined ? undefined : Number(counted);
  if (count !== undefined && count < entries.length) fail(`${entries.length} items of ${count}`);
  return { count, previous, entries };
}

function readItem(next: () => string, traits: ReaderTraits, isWhole: boolean): VtunerEntry {
  const [, type = ''] = /^<ItemType>(\w+)<\/ItemType>$/.exec(next()) ?? [];
  const names =
    type === 'Station'
      ? isWhole
        ? FULL_STATION
        : traits.stationElements
      : (ELEMENTS[type] ?? fail(`type ${type}`));
  const elements = new Map(names.map((name) => [name, readElement(next(), name, traits)]));
  const first = (among: readonly string[]): string =>
    among.map((name) => elements.get(name)).find((value) => value !== undefined) ?? '';
  const id = first(IDS);
  if (id.length > MAX_ID || /[^A-Za-z0-9]/.test(id)) fail(`id ${id}`);
  return { kind: KINDS[type] ?? 'text', type, elements, id, title: first(TITLES) };
}

function readElement(line: string, name: string, traits: ReaderTraits): string {
  const [open, close] = [`<${name}>`, `</${name}>`];
  if (!line.startsWith(open) || !line.endsWith(close)) fail(`${name} expected, ${line.slice(0, 60)} found`);
  const raw = line.slice(open.length, line.length - close.length);
  if (raw === '') return name === 'SearchTextbox' ? '' : fail(`${name} is empty`);
  if (ADDRESS.test(name)) return readAddress(raw, name, traits);
  const isTitle = TITLES.includes(name) || name === 'ShowName';
  if (isTitle && traits.eaten > 0 && !/^ +$/.test(raw.slice(0, traits.eaten)))
    fail(`the beginning of ${raw} is not shown`);
  const text = decode(isTitle ? raw.slice(traits.eaten) : raw, traits);
  if (/\p{Cc}/u.test(text) || text !== text.trim() || text === '') fail(`${name} is "${text}"`);
  if (Array.from(text).length > MAX_TEXT) fail(`${name} is too long`);
  if (traits.forbidden?.test(text) === true) fail(`${name} has a sign it stops at: ${text}`);
  return text;
}

function readAddress(raw: string, name: string, traits: ReaderTraits): string {
  if (traits.spaceBeforeAddress && !raw.startsWith(' ')) fail(`no space before the address of ${name}`);
  const address = decode(traits.spaceBeforeAddress ? raw.slice(1) : raw, traits);
  if (!/^http:\/\/[!-~]+$/.test(address) || !URL.canParse(address)) fail(`${name} is ${address}`);
  const isFollowed = /^(?:Url|Search|ShowOnDemandURL|Bookmark)/.test(name);
  // The device appends `&mac=…`, so a parameter must be there already.
  if (isFollowed && !/\?\w+=[^?]*$/.test(address)) fail(`${name} cannot be appended to: ${address}`);
  if (isFollowed && traits.losesAmpersand && address.includes('&')) fail(`${name} has an &`);
  return address;
}

function decode(text: string, { entities }: ReaderTraits): string {
  if (/[<>]/.test(text)) fail(`a bracket in ${text}`);
  const plain: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>' };
  return text.replaceAll(/&(?:(\w+);)?/g, (found, entity: string | undefined) =>
    entity !== undefined && entities.includes(entity) ? (plain[entity] ?? '') : fail(`${found} in ${text}`),
  );
}
