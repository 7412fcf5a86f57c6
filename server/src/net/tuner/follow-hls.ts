import { chooseVariant } from '../../formats/hls/choose-variant.ts';
import {
  chooseSegment,
  type MasterPlaylist,
  type MediaPlaylist,
  parseHls,
} from '../../formats/hls/parse-hls.ts';
import type { FailureCode } from '../../lib/failure-code.ts';
import { tuneInFailureOf } from './failure.ts';
import { reach } from './reach.ts';
import { type Route, TUNING } from './route.ts';
import { TuneInFailed } from './tune-in-failed.ts';
import { TunedIn } from './tuned-in.ts';

const MAX_MAP_LENGTH = 64 * 1024;
const FIRST_BYTES = 188;

/** From an HLS playlist to a segment of the lowest quality. Failures on the way count against the playlist. */
export async function followHls(route: Route, address: string, text: string): Promise<TunedIn> {
  try {
    const playlist = parsed(route, address, text);
    if (playlist.kind === 'media') return await listen(route, address, address, playlist);
    const chosen = noted(route, address, playlist);
    using answered = await reach(route, chosen);
    const media = parsed(route, answered.address, await route.wholeText(answered, TUNING.hlsBytes));
    answered[Symbol.dispose]();
    if (media.kind === 'master')
      throw broken(
        route,
        'too_many_playlists',
        'its HLS playlists only lead to each other, never to a segment',
      );
    return await listen(route, address, answered.address, media);
  } catch (error) {
    const failure = tuneInFailureOf(error, route.journal.steps, route.outer);
    if (failure.verdict !== 'dead' || failure.isOurs) throw failure;
    throw broken(route, failure.code, failure.message, failure);
  }
}

function parsed(route: Route, address: string, text: string): MasterPlaylist | MediaPlaylist {
  const playlist = parseHls(text, address);
  if (playlist) return playlist;
  route.journal.note('hls', address, 'an HLS playlist without segments');
  throw broken(route, 'no_segments', 'its HLS playlist has no segments');
}

function noted(route: Route, address: string, master: MasterPlaylist): string {
  route.journal.note('hls', address, `an HLS playlist of ${master.variants.length} qualities`);
  const chosen = chooseVariant(master);
  if (chosen === undefined) throw broken(route, 'no_segments', 'its HLS playlist has no qualities');
  return chosen;
}

async function listen(
  route: Route,
  playlistAddress: string,
  mediaAddress: string,
  media: MediaPlaylist,
): Promise<TunedIn> {
  const { kind: _, mapAddress, ...said } = media;
  const secrecy = media.isEncrypted ? ', encrypted' : '';
  const detail = `an HLS playlist of ${media.segments.length} segments of ${media.targetSeconds} s${secrecy}`;
  route.journal.note('hls', mediaAddress, detail);
  const segment = chooseSegment(media);
  if (!segment) throw broken(route, 'no_segments', 'its HLS playlist has no segments');
  const map = mapAddress === undefined ? undefined : await readMap(route, mapAddress);
  const answered = await reach(route, segment.address);
  try {
    const first = await route.begins(answered, FIRST_BYTES);
    if (first.length === 0) throw broken(route, 'empty', 'its segment is empty');
    route.journal.note('segment', segment.address, `the first ${first.length} bytes of a segment arrived`);
    return new TunedIn(route, answered, { ...said, playlistAddress, mediaAddress, segment, map });
  } catch (error) {
    answered[Symbol.dispose]();
    throw error;
  }
}

async function readMap(route: Route, address: string): Promise<Buffer> {
  using answered = await reach(route, address);
  return Buffer.from(await route.whole(answered, MAX_MAP_LENGTH));
}

const broken = (route: Route, code: FailureCode, detail: string, cause?: unknown): TuneInFailed =>
  new TuneInFailed('hls', detail, { code, steps: route.journal.steps, cause });
