import { isUtf8 } from 'node:buffer';
import { decodeHTML } from 'entities';
import { tryParseJson } from '../../lib/parse-json.ts';
import { cleanSongText, namedSong, type SongText, splitSong } from '../song-text.ts';

/** A title of `-` comes without quotes, which would make the songs of all other mounts unreadable. */
const BARE_DASH = /("\w+"\s*:)\s*-\s*(?=[,}])/g;
const BEYOND_LATIN_1 = /[^\0-\xff]/;

/**
 * The song of one mount in Icecast's `/status-json.xsl`, whose `source` is a list, one object, or missing. `mount` is
 * the path of the stream: `/live.mp3`.
 */
export function icecastSong(text: string, mount: string): StatusSong | undefined {
  const source = memberOf(memberOf(parseStatus(text.replaceAll(BARE_DASH, '$1null')), 'icestats'), 'source');
  const sources = (Array.isArray(source) ? source : [source]).filter((one) => isObject(one));
  const playing = sources.find((one) => mountOf(textOf(one, 'listenurl')) === mount);
  if (isUnsure(memberOf(playing, 'artist'))) return undefined;
  const [title, artist, album] = ['title', 'artist', 'album'].map((name) =>
    encodedOnce(textOf(playing, name)),
  );
  return songIn({ title, artist, album });
}

/**
 * If the source declares no charset, Icecast takes UTF-8 for Latin-1 and encodes it again; the stream itself is right.
 */
function encodedOnce(text: string | undefined): string | undefined {
  if (text === undefined || BEYOND_LATIN_1.test(text)) return text;
  const bytes = Buffer.from(text, 'latin1');
  return isUtf8(bytes) ? bytes.toString('utf8') : text;
}

/** Icecast writes what looks like a number or `true` as one, which loses the spelling; the stream still has it. */
const isUnsure = (artist: unknown): boolean => typeof artist === 'number' || typeof artist === 'boolean';

/** The address has the server's own idea of its host name; only the path is reliable. */
const mountOf = (address: string | undefined): string | undefined =>
  address === undefined ? undefined : URL.parse(address)?.pathname;

/** Fields before the title in `/7.html`: listeners, status, peak, most, unique, bitrate. */
const FIELDS_BEFORE = 6;
const MAX_PAGE_LENGTH = 16 * 1024;

/** The song of SHOUTcast's `/stats?json=1`, or of the older `/7.html`. */
export function shoutcastSong(text: string): StatusSong | undefined {
  if (text.trimStart().startsWith('{'))
    return songIn(parseStatus(text), { title: 'songtitle', artist: 'none' });
  return splitSong(decodeHTML(lastField(text.slice(0, MAX_PAGE_LENGTH))));
}

/** `<body>12,1,45,100,12,128,Artist - Title, live</body>`: the title may contain commas. */
function lastField(page: string): string {
  const begin = /<body[^<>]{0,200}>/i.exec(page);
  const body = begin ? page.slice(begin.index + begin[0].length) : page;
  const end = body.search(/<\/body/i);
  const fields = (end === -1 ? body : body.slice(0, end)).split(',');
  const isStatus = fields.slice(0, FIELDS_BEFORE).every((field) => /^\s*\d{1,9}\s*$/.test(field));
  return isStatus ? fields.slice(FIELDS_BEFORE).join(',') : '';
}

/** For 1970 to 2200; a larger number is not in seconds. */
const LAST_SECOND = 7_258_118_400;
const MAX_SONG_SECONDS = 86_400;

/** The song in AzuraCast's `/api/nowplaying/…`: of a list, that of its first station. */
export function azuracastSong(text: string): StatusSong | undefined {
  const parsed = parseStatus(text);
  const station: unknown = Array.isArray(parsed) ? parsed[0] : parsed;
  // For a station that is off the air it keeps showing the last song, as long as it stays off.
  if (memberOf(station, 'is_online') === false) return undefined;
  const playing = memberOf(station, 'now_playing');
  const song = songIn(memberOf(playing, 'song'));
  if (!song) return undefined;
  const art = URL.parse(textOf(memberOf(playing, 'song'), 'art') ?? '');
  const startedAt = secondsOf(playing, 'played_at', LAST_SECOND);
  const duration = secondsOf(playing, 'duration', MAX_SONG_SECONDS);
  return {
    ...song,
    ...(art?.protocol.startsWith('http') ? { artAddress: art.href } : {}),
    ...(startedAt === undefined ? {} : { startedAtMs: startedAt * 1000 }),
    ...(startedAt === undefined || duration === undefined ? {} : { endsAtMs: (startedAt + duration) * 1000 }),
  };
}

function secondsOf(value: unknown, key: string, most: number): number | undefined {
  const seconds = memberOf(value, key);
  return typeof seconds === 'number' && seconds > 0 && seconds <= most ? seconds : undefined;
}

/** A song from a station's own server, with the other facts it gives. */
interface StatusSong extends SongText {
  artAddress?: string;
  startedAtMs?: number;
  endsAtMs?: number;
}

const MAX_VALUE = 512 * 1024;

/** Untrusted JSON, or undefined: check the type of every value. */
export function parseStatus(text: string): unknown {
  return text.length > MAX_VALUE ? undefined : tryParseJson(text);
}

type StatusObject = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is StatusObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A member, if the value is an object. */
const memberOf = (value: unknown, key: string): unknown =>
  isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;

function textOf(value: unknown, key: string): string | undefined {
  const member = memberOf(value, key);
  return typeof member === 'string' ? member : undefined;
}

/** Where the artist has no field of its own, the title contains both. */
function songIn(value: unknown, keys = { title: 'title', artist: 'artist' }): SongText | undefined {
  const [title, artist] = [textOf(value, keys.title), textOf(value, keys.artist)];
  if (cleanSongText(artist ?? '') === '') return splitSong(title ?? '');
  return namedSong({ title, artist, album: textOf(value, 'album') });
}
