import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Endpoint } from '../call/endpoint.ts';

/** Spoken announcements instead of silence. Clients recognise by these names that this is not a station. */
export const ANNOUNCEMENTS = {
  /** There are streams, but none that the device plays. */
  notcompatible: '/service/Audio/notcompatible.enUS.mp3',
  /** There is nothing to play at the moment. */
  nostream: '/service/Audio/nostream.enUS.mp3',
} as const;

export type SpokenNotice = keyof typeof ANNOUNCEMENTS;

export const announcements = (): Endpoint[] => Object.values(ANNOUNCEMENTS).map(endpoint);

function endpoint(path: string): Endpoint {
  const bytes = readFileSync(join(import.meta.dirname, path.replace('/service/Audio', 'announcements')));
  const answer = { bytes, contentType: 'audio/mpeg', maxAgeSeconds: 86_400 };
  return { paths: [path], isForAnyone: true, actions: new Map([['', () => answer]]) };
}
