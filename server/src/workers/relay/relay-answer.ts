import type { Socket } from 'node:net';
import type { RelayedStream } from '../../core/streams/relay/relay-address.ts';
import { CONVERTED_TO } from '../../core/streams/relay/relay-links.ts';
import { isPlaylistType } from '../../formats/playlist/sniff-playlist.ts';
import { METAINT } from '../../formats/icy/join-titles.ts';
import { cleanSongText } from '../../formats/song-text.ts';
import type { StreamToRelay } from '../../storage/catalog/streams/relayed-stream.ts';

/** What is sent instead of sound. */
export class RelayRefusal extends Error {
  readonly status: string;
  readonly why: string;

  constructor(status: string, why: string, text: string) {
    super(text);
    this.status = status;
    this.why = why;
  }
}

const TYPES: Readonly<Record<string, string>> = {
  mp3: 'audio/mpeg',
  aac: 'audio/aac',
  ogg: 'application/ogg',
  opus: 'audio/ogg',
  flac: 'audio/flac',
  wav: 'audio/wav',
};
const IS_AUDIO = /^(?:audio\/[\w.+-]{1,40}|application\/ogg)$/i;

/** What a radio gets of it: players choose by its bitrate how much they collect before they play. */
export const asSent = (stream: StreamToRelay, variant: RelayedStream['variant']): StreamToRelay =>
  variant === 'c' ? stream : { ...stream, ...CONVERTED_TO };

/** As the station says, or by what the directory knows. A radio would try to read what is called a playlist. */
export const typeOf = ({ format }: Pick<StreamToRelay, 'format'>, said = ''): string =>
  IS_AUDIO.test(said) && !isPlaylistType(said) ? said.toLowerCase() : (TYPES[format ?? ''] ?? 'audio/mpeg');

/** What comes before the sound: HTTP/1.0, which every radio understands. */
export function relayHead(stream: StreamToRelay, said = '', wantsTitles = false): string {
  const lines = [
    'HTTP/1.0 200 OK',
    `Content-Type: ${typeOf(stream, said)}`,
    'Cache-Control: no-store',
    'Connection: close',
  ];
  // Pages of others may look into the sound, as they may into Icecast's.
  lines.push('Access-Control-Allow-Origin: *');
  // Some players open a second connection to look at a stream that has any of these without being asked.
  if (wantsTitles) {
    lines.push(`icy-name: ${latin(cleanSongText(stream.station_name))}`, `icy-metaint: ${METAINT}`);
    if (stream.bitrate > 0) lines.push(`icy-br: ${stream.bitrate}`);
  }
  return `${lines.join('\r\n')}\r\n\r\n`;
}

/** Headers are ASCII to most players. */
const latin = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/[^\x20-\x7e]/g, '')
    .slice(0, 100);

/** How long whoever was sent the last byte has to read it and hang up; a connection is not kept for who never does. */
const MAX_LEAVING_MS = 5000;
/** What a radio has not read yet when there is no more to send it: less than it may be behind. */
export const MAX_PLAYED_OUT_MS = 60_000;

/** Ends a connection: at once where the other end does, too, and in any case. */
export function letGo(socket: Socket, withinMs = MAX_LEAVING_MS): void {
  const timer = setTimeout(() => socket.destroy(), withinMs).unref();
  socket.once('close', () => clearTimeout(timer)).end();
}

export function sendText(socket: Socket, status: string, text: string): void {
  const body = Buffer.from(`${text}\n`);
  socket.write(
    `HTTP/1.0 ${status}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body.toString()}`,
  );
  letGo(socket);
}
