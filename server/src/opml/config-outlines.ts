import type { Outline } from './document.ts';

export interface ClockReading {
  /** Seconds since 1970. */
  utcSeconds: number;
  zoneName: string;
  offsetMinutes: number;
}

/** The time where the service is and where the caller is; the seconds are those of the clock on the wall there. */
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

/** A text for an application to show, under the name it asks by. */
export const contentOutline = (key: string, value: string): Outline => ({ text: 'content', key, value });

/**
 * What else an application may call: where to ask for the cover of a song, and what addresses of covers are made of. A
 * client that does not find these asks for them again and again.
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

/** A cover would be named in `album_art` or `artist_art`; without either a client shows the station's logo. */
export const noAlbumArtOutline = (): Outline => ({ text: 'albumart', attributes: [] });
