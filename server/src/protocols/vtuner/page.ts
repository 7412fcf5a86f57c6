import { cleanMarkupText } from '../../formats/opml/characters.ts';
import type { Family } from './families.ts';

/** One item of a page, by the words of the protocol. */
export type PageItem =
  | { type: 'Dir'; title: string; url: string; count: number }
  /** A line to read. */
  | { type: 'Display'; text: string }
  /** Pops up. */
  | { type: 'Message'; text: string }
  | { type: 'Search'; url: string; caption: string; go: string; cancel: string }
  | StationLine
  | { type: 'ShowOnDemand'; id: string; name: string; logo: string; url: string; bookmark: string }
  | {
      type: 'ShowEpisode';
      id: string;
      show: string;
      logo: string;
      name: string;
      url: string;
      bookmark: string;
      mime: string;
    };

export interface StationLine {
  type: 'Station';
  id: string;
  name: string;
  url: string;
  description: string;
  logo: string;
  genre: string;
  place: string;
  bitrate: number;
  /** MP3, AAC or WMA. */
  mime: string;
  /** 1 to 5. */
  reliability: number;
  /** What the key for favourites asks for. */
  bookmark: string;
}

export interface Page {
  /** Of all items of the list, not of those here. */
  total: number;
  items: readonly PageItem[];
  /** Where "back" leads; undefined at the root. */
  previous?: string | undefined;
  /** The radio is not to keep it. */
  isFresh?: boolean;
  /** A page of one station, whatever form stations have in lists. */
  isWhole?: boolean;
}

/** An element with its text. `title` is what the radio shows first. */
type Element = readonly [name: string, text: string, kind: 'text' | 'title' | 'url' | 'empty'];

/**
 * A page as the least able of its readers wants it: one element a line, nothing indented, in the order in which some read them by
 * their position, none empty but the box for what is searched.
 */
export function writePage(page: Page, family: Family): Buffer {
  const lines = [
    `<?xml version="1.0" encoding="${family.encoding}" standalone="yes" ?>`,
    '<ListOfItems>',
    ...(family.itemCount ? [`<ItemCount>${page.total}</ItemCount>`] : []),
    ...(page.isFresh === true ? ['<NoDataCache>Yes</NoDataCache>'] : []),
    ...(page.previous === undefined ? [] : writeItem(previousOf(page.previous), 'Previous', family)),
    ...page.items.flatMap((item) =>
      writeItem(elementsOf(item, page.isWhole === true ? 'full' : family.stations), item.type, family),
    ),
    '</ListOfItems>',
    '',
  ];
  return Buffer.from(lines.join('\n'), family.encoding === 'UTF-8' ? 'utf8' : 'latin1');
}

function writeItem(elements: readonly Element[], type: string, family: Family): string[] {
  return [
    '<Item>',
    `<ItemType>${type}</ItemType>`,
    ...elements.map((element) => `<${element[0]}>${writeText(element, family)}</${element[0]}>`),
    '</Item>',
  ];
}

const previousOf = (url: string): Element[] => [
  ['UrlPrevious', url, 'url'],
  ['UrlPreviousBackUp', url, 'url'],
];

function elementsOf(item: PageItem, stations: Family['stations']): Element[] {
  switch (item.type) {
    case 'Dir':
      return [
        ['Title', item.title, 'title'],
        ['UrlDir', item.url, 'url'],
        ['UrlDirBackUp', item.url, 'url'],
        ['DirCount', String(item.count), 'text'],
      ];
    case 'Display':
      return [['Display', item.text, 'title']];
    case 'Message':
      return [['Message', item.text, 'title']];
    case 'Search':
      return [
        ['SearchURL', item.url, 'url'],
        ['SearchURLBackUp', item.url, 'url'],
        ['SearchCaption', item.caption, 'title'],
        ['SearchTextbox', '', 'empty'],
        ['SearchButtonGo', item.go, 'text'],
        ['SearchButtonCancel', item.cancel, 'text'],
      ];
    case 'Station':
      return stationElements(item, stations);
    case 'ShowOnDemand':
      return [
        ['ShowOnDemandID', item.id, 'text'],
        ['ShowOnDemandName', item.name, 'title'],
        ['Logo', item.logo, 'url'],
        ['ShowOnDemandURL', item.url, 'url'],
        ['ShowOnDemandURLBackUp', item.url, 'url'],
        ['BookmarkShow', item.bookmark, 'url'],
      ];
    default:
      return episodeElements(item);
  }
}

const episodeElements = (episode: Extract<PageItem, { type: 'ShowEpisode' }>): Element[] => [
  ['ShowEpisodeID', episode.id, 'text'],
  ['ShowName', episode.show, 'title'],
  ['Logo', episode.logo, 'url'],
  ['ShowEpisodeName', episode.name, 'title'],
  ['ShowEpisodeURL', episode.url, 'url'],
  ['BookmarkShow', episode.bookmark, 'url'],
  ['ShowDesc', episode.name, 'text'],
  ['ShowFormat', episode.show, 'text'],
  ['Lang', NOT_KNOWN, 'text'],
  ['Country', NOT_KNOWN, 'text'],
  ['ShowMime', episode.mime, 'text'],
];

function stationElements(station: StationLine, form: Family['stations']): Element[] {
  const named: Element[] = [
    ['StationId', station.id, 'text'],
    ['StationName', station.name, 'title'],
    ['StationUrl', station.url, 'url'],
  ];
  const bookmark: Element = ['Bookmark', station.bookmark, 'url'];
  if (form === 'short') return [...named, bookmark];
  return [
    ...named,
    ['StationDesc', station.description, 'text'],
    ['Logo', station.logo, 'url'],
    ['StationFormat', station.genre, 'text'],
    ['StationLocation', station.place, 'text'],
    ['StationBandWidth', String(station.bitrate), 'text'],
    ['StationMime', station.mime, 'text'],
    ['Relia', String(station.reliability), 'text'],
    bookmark,
  ];
}

const NOT_KNOWN = '-';
const MAX_TEXT = 100;

function writeText([, text, kind]: Element, family: Family): string {
  if (kind === 'empty') return '';
  const isPadded = family.padding > 0;
  if (kind === 'url') return (isPadded ? ' ' : '') + escape(asciiOf(text));
  const shown = escape(shownText(text, family) || NOT_KNOWN);
  return kind === 'title' && isPadded ? ' '.repeat(family.padding) + shown : shown;
}

/** One line of at most 100 characters that the radio can show. */
export function shownText(text: string, { encoding, signs }: Pick<Family, 'encoding' | 'signs'>): string {
  let line = cleanMarkupText(text)
    .normalize('NFC')
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\ufeff]+/gu, ' ');
  if (encoding === 'ISO-8859-1') line = toLatin1(line);
  if (signs !== 'all') line = line.replaceAll(/[<>"]/g, (sign) => PLAINER[sign] ?? ' ');
  if (signs === 'none') line = line.replaceAll(/[&/]/g, (sign) => PLAINER[sign] ?? ' ');
  line = line.replaceAll(/\s+/g, ' ').trim();
  return line.length <= MAX_TEXT ? line : Array.from(line).slice(0, MAX_TEXT).join('').trim();
}

const PLAINER: Readonly<Record<string, string>> = { '<': '(', '>': ')', '"': "'", '&': '+', '/': '-' };

/** Letters without their accents where only those are in the way; a run of letters of other scripts is one question mark. */
const toLatin1 = (text: string): string =>
  text.replaceAll(/[^\0-\xff]+/gu, (run) =>
    Array.from(run, nearestInLatin1).join('').replaceAll(/\?+/g, '?'),
  );

function nearestInLatin1(sign: string): string {
  const plain = RELATED[sign] ?? sign.normalize('NFKD').replaceAll(/[^\0-\xff]/gu, '');
  return plain === '' && !/\p{M}/u.test(sign) ? '?' : plain;
}

const RELATED: Readonly<Record<string, string>> = {
  '‘': "'",
  '’': "'",
  '‚': ',',
  '“': '"',
  '”': '"',
  '„': '"',
  '–': '-',
  '—': '-',
  '•': '-',
  '€': 'EUR',
  œ: 'oe',
  Œ: 'OE',
  ł: 'l',
  Ł: 'L',
  đ: 'd',
  Đ: 'D',
  ı: 'i',
  ħ: 'h',
  Ħ: 'H',
};

/** The three entities that all of them know; quotes stand as they are. */
const escape = (text: string): string =>
  text.replaceAll(/[&<>]/g, (sign) => (sign === '&' ? '&amp;' : sign === '<' ? '&lt;' : '&gt;'));

/** An address has no other characters, whatever a station wrote. */
export const asciiOf = (address: string): string =>
  address.toWellFormed().replaceAll(/[^!-~]+|[<>"]/g, encodeURIComponent);
