import type { Action, Endpoint } from '../http/endpoint.ts';
import { noAlbumArtOutline } from '../opml/config-outlines.ts';

export const ALBUM_ART_PATH = '/AlbumArt.ashx';

const A_DAY_SECONDS = 86_400;

/** Nothing is known of covers but what stations say of theirs, and that stands beside the song, in the lists. */
const none: Action = () => ({ outlines: [noAlbumArtOutline()], maxAgeSeconds: A_DAY_SECONDS });

/** The cover of a song by its artist and title: none, which a client takes for "show the station's logo". */
export const albumArt = (): Endpoint => ({ paths: [ALBUM_ART_PATH], actions: new Map([['', none]]) });
