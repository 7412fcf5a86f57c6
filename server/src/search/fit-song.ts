import { piecesOf, searchWords } from '../lib/search-words.ts';
import type { Song } from '../playing/song.ts';

/** Where the words must stand: in the title with or without the artist, in the artist's name, or in the two together. */
export type SongPart = 'song' | 'artist' | 'either';

/** The words of a song with spaces around each, so that ` word` is where a word begins. */
export interface FoldedSong {
  title: string;
  artist: string;
}

const EXACT = 1000;
const FROM_START = 500;
const SOMEWHERE = 100;
/** Shorter ones are meant whole: a fifth of all songs has a word that begins with a t. */
const SHORTEST_START = 3;

export const foldSong = ({ title, artist = '' }: Song): FoldedSong => ({
  title: fold(title),
  artist: fold(artist),
});

const wordsOf = (text: string): string[] => searchWords(text).flatMap(piecesOf);
const fold = (text: string): string => ` ${wordsOf(text).join(' ')} `;

/** What is looked for in a folded song: where a word begins, or a short word whole. */
export const soughtWords = (query: string): string[] =>
  wordsOf(query).map((word) => (word.length < SHORTEST_START ? ` ${word} ` : ` ${word}`));

/** Under what a song is found: the starts of its words. */
export const startsOf = ({ title, artist }: FoldedSong): Set<string> =>
  new Set(`${artist}${title}`.split(' ').filter(Boolean).map(startOf));

export const startOf = (word: string): string => word.trim().slice(0, SHORTEST_START);

/** How well a song has the words that are looked for; 0 where it has not. */
export function fitSong({ title, artist }: FoldedSong, words: readonly string[], part: SongPart): number {
  if (part === 'artist') return fit(artist, words);
  if (!words.every((word) => title.includes(word) || artist.includes(word))) return 0;
  if (part === 'song' && !words.some((word) => title.includes(word))) return 0;
  return Math.max(SOMEWHERE, fit(title, words), part === 'either' ? fit(artist, words) : 0);
}

function fit(text: string, words: readonly string[]): number {
  if (!words.every((word) => text.includes(word))) return 0;
  const typed = words.map((word) => word.trimEnd()).join('');
  if (text === `${typed} `) return EXACT;
  return text.startsWith(typed) ? FROM_START : SOMEWHERE;
}
