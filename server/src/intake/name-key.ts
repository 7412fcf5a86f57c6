import { foldText } from '../lib/fold-text.ts';

export const MAX_KEY_LENGTH = 120;
/** Far more than a key keeps; names that listeners' lists give are of any length. */
const LONGEST_READ = 1000;

const BITRATE = String.raw`\d{2,4} ?(?:k|kb|kbs|kbps|kbits?)(?: s)?`;
const CODEC = String.raw`(?:mp3|mpeg|aac|aacp|aac\+|he aac(?: v?\d)?|ogg|vorbis|opus|flac|hls|m3u8?|pls)(?: \d{2,3}(?! ?k)| stream| low| high)?`;
/** "HD 2" is a channel of its own; "HD" alone is a boast. */
const QUALITY = String.raw`[hl]q|uhq|(?:high|low|mid|medium|best|hi) (?:quality|bitrate|res)|hd(?! \d(?!\d))`;
/** Words about the stream and not about the station, as whole words of a folded name. */
const STREAM_WORDS = new RegExp(`(?<![^ ])(?:${BITRATE}|${CODEC}|${QUALITY})(?![^ ])`, 'g');
/** A quick look that most names pass: nearly every stream word has one of these. */
const MAY_HAVE_STREAM_WORDS = /\d ?k|mp|aac|ogg|vorbis|opus|flac|hls|m3u|pls|[hl]q|hd|qual|bitr|res/;

/** Which of several equal streams it is; "(Vienna)" and "(Jazz)" say which station. */
const STREAM_NOTE =
  /[([]\s*(?:\d|(?:(?:not?|un)\s*)?https?|ssl|official(?: stream)?|low|high|lo-?fi|hi-?fi|backup|mirror|live)\s*[)\]]/gi;

/**
 * A name as it is compared: two records of one country with the same key are streams of one station. Case, accents,
 * spaces and punctuation do not count, nor do bitrate and codec. Numbers do: "Hit FM 98.1" and "Hit FM 101.3" are two
 * transmitters with programmes of their own far more often than one station twice. So do "radio" and "fm", without
 * which "Radio 1" and "FM 1" would be one, and what stands in brackets, which is where networks put the town.
 */
export function nameKey(whole: string): string {
  const name = whole.slice(0, LONGEST_READ);
  const folded = foldText(/[([]/.test(name) ? name.replaceAll(STREAM_NOTE, ' ') : name);
  const told = MAY_HAVE_STREAM_WORDS.test(folded) ? folded.replaceAll(STREAM_WORDS, ' ') : folded;
  return squeeze(told) || squeeze(foldText(name)) || squeeze(name.toLowerCase());
}

const squeeze = (text: string): string => text.replaceAll(/[ _]+/g, '').slice(0, MAX_KEY_LENGTH);
