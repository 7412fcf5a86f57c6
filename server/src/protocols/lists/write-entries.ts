import { isPlain } from '../../core/streams/player.ts';
import { playPath } from '../../core/streams/play-path.ts';
import { cleanMarkupText, escapeXml } from '../../formats/opml/characters.ts';
import { playlistKind } from '../../formats/playlist/write-playlist.ts';
import type { FoundList, ListedItem } from './find-list.ts';

/** A line of a list: a station or a saved address with where to play it, or a show with its feed. */
export interface Entry {
  id: string;
  /** One line of text. */
  name: string;
  address: string;
  isFeed: boolean;
  logo: string | undefined;
  groups: readonly string[];
  position: number | undefined;
}

/** Shows are in formats that can name a feed; folders and searches have nothing to play. */
export function entriesOf({ items }: FoundList, origin: string): Entry[] {
  return items.flatMap((listed) => entryOf(listed, origin) ?? []);
}

function entryOf({ item, groups, position }: ListedItem, origin: string): Entry | undefined {
  const target = targetOf(item, origin);
  if (target === undefined) return undefined;
  const name = lineOf(item.title) || item.id;
  // Every station has a logo, if only its initials.
  const logo = item.kind === 'address' ? undefined : `${origin}/logos/${item.id}q.png`;
  return { id: item.id, name, address: target, isFeed: item.kind === 'show', logo, groups, position };
}

/** Some players end a line at more than a line feed, and none shows control characters. */
const lineOf = (text: string): string =>
  cleanMarkupText(text)
    .replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim();

function targetOf(item: ListedItem['item'], origin: string): string | undefined {
  if (item.kind === 'station') return origin + playPath(item.station.id);
  if (item.kind === 'show') return `${origin}/lists/${item.id}.rss`;
  // A listener saves what they like; a list has lines.
  return item.kind === 'address' && isPlain(item.address) ? item.address : undefined;
}

interface ListWriter {
  contentType: string;
  /** `guide` is the address of the list's programme guide. */
  write: (title: string, entries: readonly Entry[], guide: string) => string[];
}

const isPlayed = ({ isFeed }: Entry): boolean => !isFeed;

/** A value in double quotes, which have no escape: a quote inside becomes a single one. */
const quoted = (text: string): string => `"${withoutQuotes(text)}"`;
const withoutQuotes = (text: string): string => lineOf(text).replaceAll('"', "'");
/** Kodi parts groups at it. */
const groupText = (groups: readonly string[]): string =>
  groups.map((group) => group.replaceAll(';', ',')).join(';');

/** With the attributes that Kodi and other programs for television read, for whom it is a list of channels. */
const m3u: ListWriter = {
  contentType: 'audio/x-mpegurl',
  write: (title, entries, guide) => [
    `#EXTM3U x-tvg-url=${quoted(guide)}`,
    `#PLAYLIST:${lineOf(title)}`,
    ...entries.filter(isPlayed).flatMap(({ id, name, address, logo, groups, position }) => [
      [
        '#EXTINF:-1',
        `tvg-id=${quoted(id)}`,
        `tvg-name=${quoted(name)}`,
        ...(logo === undefined ? [] : [`tvg-logo=${quoted(logo)}`]),
        ...(groups.length === 0 ? [] : [`group-title=${quoted(groupText(groups))}`]),
        ...(position === undefined ? [] : [`tvg-chno=${quoted(String(position))}`]),
        // Kodi looks for the name behind the last quote.
        `radio="true",${withoutQuotes(name)}`,
      ].join(' '),
      address,
    ]),
  ],
};

const plain = (kind: 'pls' | 'xspf'): ListWriter => {
  const { contentType, write } = playlistKind(kind);
  return {
    contentType,
    write: (title, entries) =>
      write(
        lineOf(title),
        entries
          .filter(isPlayed)
          .map(({ address, name, logo }) => ({ address, name, durationSeconds: undefined, image: logo })),
      ),
  };
};

/** Flat: one line a station. Shows are feeds, which every podcast app imports. */
const opml: ListWriter = {
  contentType: 'text/x-opml; charset=utf-8',
  write: (title, entries) => [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<opml version="2.0">',
    `<head><title>${escapeXml(title)}</title></head>`,
    '<body>',
    ...entries.map(({ id, name, address, isFeed, logo }) => {
      const [type, attribute] = isFeed ? ['rss', 'xmlUrl'] : ['audio', 'URL'];
      const image = logo === undefined ? '' : ` image="${escapeXml(logo)}"`;
      return `<outline type="${type}" text="${escapeXml(name)}" ${attribute}="${escapeXml(address)}" guide_id="${id}"${image}/>`;
    }),
    '</body>',
    '</opml>',
  ],
};

export const ENTRY_WRITERS = {
  m3u,
  m3u8: m3u,
  pls: plain('pls'),
  xspf: plain('xspf'),
  opml,
} as const satisfies Record<string, ListWriter>;
