import { escapeXml } from '../opml/characters.ts';

export interface PlaylistLine {
  address: string;
  name: string;
  /** Undefined for what never ends. */
  durationSeconds: number | undefined;
}

export interface PlaylistKind {
  /** As it is sent, without a charset: a player refuses a playlist whose type has one. */
  contentType: string;
  write: (title: string, lines: readonly PlaylistLine[]) => string[];
}

const bare: PlaylistKind = {
  contentType: 'audio/x-mpegurl',
  write: (_title, lines) => lines.map(({ address }) => address),
};

/** With names, in UTF-8. Not `application/vnd.apple.mpegurl`, which would say that it is HLS. */
const extended: PlaylistKind = {
  contentType: 'audio/x-mpegurl',
  write: (_title, lines) => [
    '#EXTM3U',
    ...lines.flatMap(({ address, name, durationSeconds = -1 }) => [
      `#EXTINF:${durationSeconds},${name}`,
      address,
    ]),
  ],
};

const pls: PlaylistKind = {
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

const xspf: PlaylistKind = {
  contentType: 'application/xspf+xml',
  write: (title, lines) => [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<playlist version="1" xmlns="http://xspf.org/ns/0/">',
    `<title>${escapeXml(title)}</title>`,
    '<trackList>',
    ...lines.map(
      ({ address, name, durationSeconds }) =>
        `<track><location>${escapeXml(address)}</location><title>${escapeXml(name)}</title>${durationElement(durationSeconds)}</track>`,
    ),
    '</trackList>',
    '</playlist>',
  ],
};

const durationElement = (seconds: number | undefined): string =>
  seconds === undefined ? '' : `<duration>${seconds * 1000}</duration>`;

const KINDS: ReadonlyMap<string, PlaylistKind> = new Map([
  ['m3u', bare],
  ['m3u8', extended],
  ['pls', pls],
  ['xspf', xspf],
]);

/** By the `render` parameter; bare addresses unless it names another kind, since most players read nothing else. */
export const playlistKind = (render: string | undefined): PlaylistKind =>
  KINDS.get(render?.toLowerCase() ?? '') ?? bare;
