import { type SongText, cleanText, songOf } from '../song-text.ts';

const BETWEEN = [' - ', ' – ', ' — '];
/** What automation writes when nothing is on, or what sells something. */
const NO_SONG =
  /^(?:-|\?|unknown|untitled|no title|no name|n\/a|null|undefined|track \d+|advert(?:isement)?|ad break|ad|commercial(?: break)?|spot block(?: (?:start|end))?|werbung|publicidad|reklame?)$/i;
/** A network's own form: `Artist - text="Title" song_spot="M" MediaBaseId="…"`; everything but music sells something. */
const TEXT = 'text="';
const KIND = 'song_spot="';
const MUSIC = /^[mf]/i;

/** `Artist - Title`, cut at the first dash with spaces around it. Nothing for what is no song. */
export function splitSong(streamTitle: string): SongText | undefined {
  const line = cleanText(streamTitle);
  if (isAdvert(line)) return undefined;
  const mark = BETWEEN.find((between) => line.includes(between));
  const at = mark === undefined ? -1 : line.indexOf(mark);
  const artist = at === -1 ? '' : named(line.slice(0, at));
  const title = named(at === -1 ? line.replace(/^[-–—] | [-–—]$/, '') : line.slice(at + 3));
  return title === '' ? songOf({ title: artist }) : songOf({ artist, title });
}

function isAdvert(line: string): boolean {
  const at = line.indexOf(KIND);
  return at !== -1 && !MUSIC.test(line.slice(at + KIND.length));
}

/** A name without the network's form around it, or '' for what is none. */
function named(text: string): string {
  const from = text.indexOf(TEXT);
  const inner = from === -1 ? text : text.slice(from + TEXT.length).replace(/".*$/, '');
  return NO_SONG.test(inner.trim()) ? '' : inner;
}
