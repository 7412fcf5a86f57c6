import { escapeXml } from '../opml/characters.ts';

export interface PlaylistLine {
  address: string;
  name: string;
  /** Undefined for live streams. */
  durationSeconds: number | undefined;
  /** Only XSPF has a place for it. */
  image?: string | undefined;
}

export interface PlaylistFormat {
  /** Sent without a charset: players reject playlists whose type has one. */
  contentType: string;
  write: (title: string, lines: readonly PlaylistLine[]) => string[];
}

const bare: PlaylistFormat = {
  contentType: 'audio/x-mpegurl',
  write: (_title, lines) => lines.map(({ address }) => address),
};

/** With names, in UTF-8. Not `application/vnd.apple.mpegurl`, which would mean HLS. */
const extended: PlaylistFormat = {
  contentType: 'audio/x-mpegurl',
  write: (_title, lines) => [
    '#EXTM3U',
    ...lines.flatMap(({ address, name, durationSeconds = -1 }) => [
      `#EXTINF:${durationSeconds},${name}`,
      address,
    ]),
  ],
};

const pls: PlaylistFormat = {
  contentType: 'audio/x-scpls',
  write: (_title, lines) => [
    '[playlist]',
    ...lines.flatMap(({ address, name, durationSeconds = -1 }, index) => [
      `File${index + 1}=${address}`,
      `Title${index + 1}=${name}`,
      `Length${index + 1}=${durationSeconds}`,
    ]),
    `NumberOfEntries=${lines.length}`,
    'Version=2',
  ],
};

const xspf: PlaylistFormat = {
  contentType: 'application/xspf+xml',
  write: (title, lines) => [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<playlist version="1" xmlns="http://xspf.org/ns/0/">',
    `<title>${escapeXml(title)}</title>`,
    '<trackList>',
    ...lines.map(
      ({ address, name, durationSeconds, image }) =>
        `<track><location>${escapeXml(address)}</location><title>${escapeXml(name)}</title>${imageElement(image)}${durationElement(durationSeconds)}</track>`,
    ),
    '</trackList>',
    '</playlist>',
  ],
};

const imageElement = (image: string | undefined): string =>
  image === undefined ? '' : `<image>${escapeXml(image)}</image>`;

const durationElement = (seconds: number | undefined): string =>
  seconds === undefined ? '' : `<duration>${seconds * 1000}</duration>`;

const KINDS: ReadonlyMap<string, PlaylistFormat> = new Map([
  ['m3u', bare],
  ['m3u8', extended],
  ['pls', pls],
  ['xspf', xspf],
]);

/** Chosen by the `render` parameter; bare addresses by default, since most players read nothing else. */
export const playlistKind = (render: string | undefined): PlaylistFormat =>
  KINDS.get(render?.toLowerCase() ?? '') ?? bare;
