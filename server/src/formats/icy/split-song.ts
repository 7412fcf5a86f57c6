import { decodeHTMLStrict } from 'entities';
import { type SongText, cleanText, songOf } from '../song-text.ts';

const BETWEEN = / [-–—] /;
/** What automation writes when nothing is on, or what sells something. */
const NO_SONG =
  /^(?:-|\?|unknown|untitled|no title|no name|n\/a|null|undefined|track \d+|advert(?:isement)?|ad break|ad|commercial(?: break)?|spot block(?: (?:start|end))?|werbung|publicidad|reklame?)$/i;
/** A network's own form: `Artist - text="Title" song_spot="M" MediaBaseId="…"`; everything but music sells something. */
const TEXT = 'text="';
const BEFORE_TITLE = /^(.*?) - title="/i;
const SPOT = /song_spot=\\?"(?![mf])/i;

/** `Artist - Title`, cut at the first dash with spaces around it. Nothing for what is no song. */
export function splitSong(streamTitle: string): SongText | undefined {
  const line = cleanText(written(streamTitle));
  if (isAdvert(line)) return undefined;
  const told = quotedSong(line);
  if (told) return songOf({ ...told, artist: told.artist || named(BEFORE_TITLE.exec(line)?.[1] ?? '') });
  const at = line.search(BETWEEN);
  const artist = at === -1 ? '' : named(line.slice(0, at));
  const title = named(at === -1 ? line.replace(/^[-–—] | [-–—]$/, '') : line.slice(at + 3));
  return title === '' ? songOf({ title: artist }) : songOf({ artist, title });
}

/** A song whose artist and title were told apart, by the same rules. */
export function namedSong(texts: Parameters<typeof songOf>[0]): SongText | undefined {
  const { artist: by, title: name, album } = texts;
  const song = songOf({ artist: written(by ?? ''), title: written(name ?? ''), album: written(album ?? '') });
  if (!song) return undefined;
  const [artist, title] = [named(song.artist ?? ''), named(song.title)];
  return title === '' ? songOf({ title: artist }) : songOf({ ...song, artist, title });
}

/**
 * The other form of it: `title="First Light",artist="The Example Duo",url="song_spot=\"M\" …"`, in titles and in the
 * playlists of HLS. Undefined where the line is of another form; without a title where it names no song.
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

/** Inside of the quotation marks a backslash stands before each that belongs to the value. */
const quoted = (line: string, name: string): string | undefined =>
  new RegExp(String.raw`(?:^|[\s,])${name}="((?:\\.|[^"\\])*)"`, 'i')
    .exec(line)?.[1]
    ?.replaceAll(/\\(.)/g, '$1');

/** `&amp;`, `&#353;`: some programs send titles as a page has them, and Icecast so writes what Latin-1 has no letter for. */
const written = (text: string): string => (text.includes('&') ? decodeHTMLStrict(text) : text);

const isAdvert = (line: string): boolean => SPOT.test(line);

/** A name without the network's form around it, or '' for what is none. */
function named(text: string): string {
  const from = text.indexOf(TEXT);
  const inner = from === -1 ? text : text.slice(from + TEXT.length).replace(/".*$/, '');
  return NO_SONG.test(inner.trim()) ? '' : inner;
}
