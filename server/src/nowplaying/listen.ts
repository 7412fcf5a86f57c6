import { oggSong } from '../formats/audio/ogg-song.ts';
import { segmentSong } from '../formats/hls/segment-song.ts';
import { splitSong } from '../formats/icy/split-song.ts';
import type { SafeFetcher } from '../lib/fetch-safely/fetch-safely.ts';
import type { SongText } from '../formats/song-text.ts';
import type { SongSource } from '../playing/song.ts';
import { readSome } from '../tuner/read-some.ts';
import { tuneIn } from '../tuner/tune-in.ts';
import type { TunedIn } from '../tuner/tuned-in.ts';
import type { Heard } from './heard.ts';
import { segmentTitle } from './segment-title.ts';

export interface Listened {
  /** `late`: it went silent before it came to a title. */
  heard: Heard | 'late';
  /** Where to listen the next time, without the way there. */
  address: string;
  headers: ReadonlyMap<string, string>;
}

const TUNE_IN_MS = 8000;
const READ_MS = 6000;
/** The comments of Ogg come first; a picture among them may be larger, and then comes no title. */
const OGG_BYTES = 64 * 1024;
const SEGMENT_BYTES = 256 * 1024;
const LARGEST_GAP = 128 * 1024;
/** A server that has just begun to send a song may leave the first place for its title empty. */
const GAPS = 2;
const OGG = /^(?:application|audio|video)\/(?:ogg|opus|x-ogg|vorbis)\b/i;

/** Connects as a player does, and leaves when the first title has come. */
export async function listen(fetcher: SafeFetcher, address: string, signal: AbortSignal): Promise<Listened> {
  using tuned = await tuneIn(fetcher, address, { deadlineMs: TUNE_IN_MS, signal });
  return {
    heard: await songIn(tuned),
    address: tuned.hls?.mediaAddress ?? tuned.address,
    headers: tuned.headers,
  };
}

function songIn(tuned: TunedIn): Promise<Heard | 'late'> {
  if (tuned.hls) return inSegment(tuned);
  if (tuned.metaint !== undefined) return betweenSound(tuned, tuned.metaint);
  return OGG.test(tuned.headers.get('content-type') ?? '') ? inComments(tuned) : Promise.resolve('mute');
}

async function betweenSound(tuned: TunedIn, metaint: number): Promise<Heard | 'late'> {
  if (metaint > LARGEST_GAP) return 'mute';
  const { titles, ended } = await readSome(tuned, metaint * GAPS + 1, READ_MS, true);
  const title = titles.at(-1);
  if (title === undefined) return ended === 'enough' ? 'nothing' : 'late';
  return asHeard(splitSong(title), 'icy');
}

async function inComments(tuned: TunedIn): Promise<Heard | 'late'> {
  const { audio, bytes } = await readSome(tuned, OGG_BYTES, READ_MS);
  return bytes === 0 ? 'late' : asHeard(oggSong(audio), 'ogg');
}

/** The newest of what a playlist says and of what is inside a segment; most stations do one of both, or neither. */
async function inSegment(tuned: TunedIn): Promise<Heard> {
  const { audio } = await readSome(tuned, SEGMENT_BYTES, READ_MS);
  return asHeard(segmentSong(audio) ?? segmentTitle(tuned.hls?.segment.title), 'hls');
}

const asHeard = (song: SongText | undefined, source: SongSource): Heard =>
  song === undefined ? 'nothing' : { ...song, source };
