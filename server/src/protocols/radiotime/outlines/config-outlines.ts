import type { Outline } from '../../../formats/opml/document.ts';

export interface ClockReading {
  /** Seconds since 1970. */
  utcSeconds: number;
  zoneName: string;
  offsetMinutes: number;
}

/** Server time and caller time; the seconds are those of the local wall clock. */
export const timeOutline = (server: ClockReading, detected: ClockReading): Outline => ({
  text: 'time',
  attributes: [
    ['utc_time', String(server.utcSeconds)],
    ['server_time', String(wallSeconds(server))],
    ['server_tz', server.zoneName],
    ['server_offset', String(server.offsetMinutes)],
    ['detected_time', String(wallSeconds(detected))],
    ['detected_tz', detected.zoneName],
    ['detected_offset', String(detected.offsetMinutes)],
  ],
});

const wallSeconds = ({ utcSeconds, offsetMinutes }: ClockReading): number => utcSeconds + offsetMinutes * 60;

/** A text for an application to show, under the key it asked for. */
export const contentOutline = (key: string, value: string): Outline => ({ text: 'content', key, value });

/**
 * Other services for applications: the cover lookup, and the base address of pictures. Clients that do not find these
 * request them again and again.
 */
export const apiOutline = (lookupUrl: string, picturesUrl: string): Outline => ({
  text: 'api',
  attributes: [
    ['albumart.lookupurl', lookupUrl],
    ['albumart.url', picturesUrl],
    ['albumart.extension.default', 'q.jpg'],
    ['albumart.extension.large', 'g.jpg'],
  ],
});

/** A cover would be in `album_art` or `artist_art`; without either a client shows the station's logo. */
export const noAlbumArtOutline = (): Outline => ({ text: 'albumart', attributes: [] });
