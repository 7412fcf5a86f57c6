import { decodeHTMLStrict } from 'entities';

/** A song as a stream names it. */
export interface SongText {
  artist?: string;
  title: string;
  album?: string;
}

export const MAX_TEXT_LENGTH = 256;
/** Controls, bidirectional marks, and characters without a width: nothing that can be read. */
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const HIDDEN = /[\0-\x1f\x7f-\x9f\u200b\u2028-\u202e\u2060-\u2069\ufeff]+/g;
const SPACES = /\s+/g;
/** Far more than is stored, and small enough that leading junk does not matter. */
const MAX_READ_LENGTH = 4096;

/** Nearly all titles: nothing to remove, and this check takes a tenth of the time. */
const PLAIN = /^[!-~]+(?: [!-~]+)*$/;

export const withoutHidden = (text: string): string =>
  PLAIN.test(text) ? text : text.toWellFormed().replace(HIDDEN, ' ');

/**
 * Untrusted text made fit to be shown: one line, without hidden or bidirectional characters, cut between characters.
 */
export function cleanSongText(text: string): string {
  if (text.length <= MAX_TEXT_LENGTH && PLAIN.test(text)) return text;
  const line = withoutHidden(text.slice(0, MAX_READ_LENGTH)).replace(SPACES, ' ').trim();
  return line
    .slice(0, MAX_TEXT_LENGTH)
    .replace(/[\ud800-\udbff]$/, '')
    .trimEnd();
}

/** The song in these texts, or undefined if no title is left. */
export function songOfText(texts: {
  artist?: string | undefined;
  title?: string | undefined;
  album?: string | undefined;
}): SongText | undefined {
  const [artist, title, album] = [texts.artist, texts.title, texts.album].map((text) =>
    cleanSongText(text ?? ''),
  );
  if (!title) return undefined;
  return { ...(artist ? { artist } : {}), title, ...(album ? { album } : {}) };
}

const BETWEEN = / [-–—] /;
/** What automation sends when nothing is on, or for adverts. */
const NO_SONG =
  /^(?:-|\?|unknown|untitled|no title|no name|n\/a|null|undefined|track \d+|advert(?:isement)?|ad break|ad|commercial(?: break)?|spot block(?: (?:start|end))?|werbung|publicidad|reklame?)$/i;
/** A network's own form: `Artist - text="Title" song_spot="M" MediaBaseId="…"`; everything but music is an advert. */
const TEXT = 'text="';
const BEFORE_TITLE = /^(.*?) - title="/i;
const SPOT = /song_spot=\\?"(?![mf])/i;

/** `Artist - Title`, cut at the first dash with spaces around it. Undefined if it is not a song. */
export function splitSong(streamTitle: string): SongText | undefined {
  const line = cleanSongText(written(streamTitle));
  if (isAdvert(line)) return undefined;
  const given = quotedSong(line);
  if (given)
    return songOfText({ ...given, artist: given.artist || named(BEFORE_TITLE.exec(line)?.[1] ?? '') });
  const at = line.search(BETWEEN);
  const artist = at === -1 ? '' : named(line.slice(0, at));
  const title = named(at === -1 ? line.replace(/^[-–—] | [-–—]$/, '') : line.slice(at + 3));
  return title === '' ? songOfText({ title: artist }) : songOfText({ artist, title });
}

/** A song with separate artist and title, by the same rules. */
export function namedSong(texts: Parameters<typeof songOfText>[0]): SongText | undefined {
  const { artist: by, title: name, album } = texts;
  const song = songOfText({
    artist: written(by ?? ''),
    title: written(name ?? ''),
    album: written(album ?? ''),
  });
  if (!song) return undefined;
  const [artist, title] = [named(song.artist ?? ''), named(song.title)];
  return title === '' ? songOfText({ title: artist }) : songOfText({ ...song, artist, title });
}

/**
 * The other form of it: `title="First Light",artist="The Example Duo",url="song_spot=\"M\" …"`, in titles and in HLS
 * playlists. Undefined if the line has another form; without a title if it names no song.
 */
export function quotedSong(line: string): Partial<SongText> | undefined {
  const [title, artist, album] = ['title', 'artist', 'album'].map((name) => quoted(line, name));
  if (title === undefined) return undefined;
  if (isAdvert(line)) return {};
  return {
    title: named(title),
    artist: named((artist ?? '').trim()),
    ...(album === undefined ? {} : { album }),
  };
}

/** Inside the quotes, a backslash escapes each quotation mark of the value. */
const quoted = (line: string, name: string): string | undefined =>
  new RegExp(String.raw`(?:^|[\s,])${name}="((?:\\.|[^"\\])*)"`, 'i')
    .exec(line)?.[1]
    ?.replaceAll(/\\(.)/g, '$1');

/**
 * `&amp;`, `&#353;`: some programs send HTML-escaped titles, and Icecast writes characters outside Latin-1 that way.
 */
const written = (text: string): string => (text.includes('&') ? decodeHTMLStrict(text) : text);

const isAdvert = (line: string): boolean => SPOT.test(line);

/** A name without the network's form around it, or '' if it is not one. */
function named(text: string): string {
  const from = text.indexOf(TEXT);
  const inner = from === -1 ? text : text.slice(from + TEXT.length).replace(/".*$/, '');
  return NO_SONG.test(inner.trim()) ? '' : inner;
}
