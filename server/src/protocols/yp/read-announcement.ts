import { addressKey, cleanAddress } from '../../core/cleaning/clean-address.ts';
import { cleanHomepage } from '../../core/cleaning/clean-homepage.ts';
import { cleanName } from '../../core/cleaning/clean-name.ts';
import { cleanSongText } from '../../formats/song-text.ts';
import { UnsafeAddress } from '../../net/fetch/fetch-failed.ts';
import { checkAddress } from '../../net/fetch/policy.ts';
import type { AnnouncedStream } from '../../storage/catalog/streams/announced-streams.ts';

type Announcement = Omit<AnnouncedStream, 'network' | 'caller'>;

const MAX_KBITS = 10_000;
const [MAX_GENRE_LENGTH, MAX_HOMEPAGE_LENGTH, MAX_TYPE_LENGTH] = [200, 500, 100];

/** What Icecast's `add` says of a stream, or why it cannot be listed. Icecast's own defaults count as unsaid. */
export function readAnnouncement(form: URLSearchParams): Announcement | { refused: string } {
  const said = (name: string): string => (form.get(name) ?? '').replace(/^Unspecified .*$/, '');
  const name = cleanName(said('sn'));
  if (name === undefined) return { refused: 'The stream has no name: set stream-name of its mount' };
  const found = cleanAddress(form.get('listenurl') ?? '');
  if ('refused' in found)
    return {
      refused: `listenurl: ${found.refused}; set hostname in icecast.xml to the name that listeners use`,
    };
  const unsafe = reasonAgainst(found.address);
  if (unsafe !== undefined) return { refused: `listenurl: ${unsafe}` };
  const homepage = cleanHomepage(said('url'));
  return {
    address: found.address,
    addressKey: addressKey(found.key),
    name,
    genre: cleanSongText(said('genre')).slice(0, MAX_GENRE_LENGTH).toWellFormed(),
    homepage: homepage !== undefined && homepage.length <= MAX_HOMEPAGE_LENGTH ? homepage : undefined,
    contentType: cleanSongText(form.get('type') ?? '').slice(0, MAX_TYPE_LENGTH) || undefined,
    bitrateKbps: bitrateOf(form.get('b') ?? ''),
  };
}

/** `128`, or `Quality 3` of Vorbis, which says nothing. */
function bitrateOf(text: string): number {
  const [, digits = '0'] = /^\s*(\d{1,5})\b/.exec(text) ?? [];
  const kbits = Number(digits);
  return kbits <= MAX_KBITS ? kbits : 0;
}

/** By the rules under which it will be listened to; the addresses of its name are checked then. */
function reasonAgainst(address: string): string | undefined {
  try {
    // `192.168.1.1..` is no address, and no name either.
    const isName = /^[^.]+(?:\.[^.]+)*$/.test(checkAddress(address).host);
    return isName ? undefined : 'the name of the host is malformed';
  } catch (error) {
    if (error instanceof UnsafeAddress) return error.message;
    throw error;
  }
}
