import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Endpoint } from '../http/endpoint.ts';

/** Said to a listener instead of silence. Clients know by these names that it is no station they hear. */
export const ANNOUNCEMENTS = {
  /** There are streams, but none the device plays. */
  notcompatible: '/service/Audio/notcompatible.enUS.mp3',
  /** There is nothing at all to hear just now. */
  nostream: '/service/Audio/nostream.enUS.mp3',
} as const;

export type Announcement = keyof typeof ANNOUNCEMENTS;

export const announcements = (): Endpoint[] => Object.values(ANNOUNCEMENTS).map(endpoint);

function endpoint(path: string): Endpoint {
  const bytes = readFileSync(join(import.meta.dirname, path.replace('/service/Audio', 'announcements')));
  const answer = { bytes, contentType: 'audio/mpeg', maxAgeSeconds: 86_400 };
  return { paths: [path], isForAnyone: true, actions: new Map([['', () => answer]]) };
}
