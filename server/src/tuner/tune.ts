import { decodeText } from '../formats/decode-text.ts';
import { parseMetaint } from '../formats/icy/icy-splitter.ts';
import { type PlaylistKind, parsePlaylist } from '../formats/playlist/parse-playlist.ts';
import { sniffPlaylist } from '../formats/playlist/sniff-playlist.ts';
import type { FailureCode } from '../lib/failure-code.ts';
import { failureOf } from './failure.ts';
import { followHls } from './follow-hls.ts';
import { TUNING } from './limits.ts';
import { reach } from './reach.ts';
import type { Answered, Route } from './route.ts';
import { withoutTrace } from '../lib/without-trace.ts';
import { TuneInFailed } from './tune-in-failed.ts';
import { TunedIn } from './tuned-in.ts';

const FIRST_BYTES = 512;

/** The sound at an address, or at one that it leads to. `depth` is how many playlists led here. */
export async function tune(route: Route, address: string, depth = 0): Promise<TunedIn> {
  const answered = await reach(route, address);
  try {
    // A playlist may be shorter than that, and its server may never say that it is over.
    const failed = await route.untilBegun(answered, FIRST_BYTES)?.catch((error: unknown) => error);
    const first = answered.inflow.body.subarray(0, FIRST_BYTES);
    const kind = sniffPlaylist(answered.head.headers.get('content-type'), answered.address, first);
    if (failed !== undefined && (kind === undefined || first.length === 0)) throw failed;
    if (kind === undefined) return heard(route, answered, first);
    const most = kind === 'hls' ? TUNING.hlsBytes : TUNING.playlistBytes;
    const text = failed === undefined ? await route.wholeText(answered, most) : decodeText(first);
    answered[Symbol.dispose]();
    if (kind === 'hls') return await followHls(route, answered.address, text);
    const tuned = await followPlaylist(route, { kind, text, address: answered.address }, depth);
    tuned.playlist = kind;
    return tuned;
  } catch (error) {
    answered[Symbol.dispose]();
    throw error;
  }
}

interface Playlist {
  kind: PlaylistKind;
  text: string;
  address: string;
}

async function followPlaylist(
  route: Route,
  { kind, text, address }: Playlist,
  depth: number,
): Promise<TunedIn> {
  const addresses = parsePlaylist(kind, text, address);
  route.journal.note('playlist', address, `a playlist (${kind}) of ${addresses.length} addresses`);
  if (addresses.length === 0) throw dead(route, 'empty_playlist', 'its playlist is empty');
  if (depth === TUNING.playlists)
    throw dead(route, 'too_many_playlists', `more than ${TUNING.playlists} playlists, one in the other`);
  let first: TuneInFailed | undefined;
  for (const next of addresses.slice(0, TUNING.addressesTried)) {
    try {
      return await tune(route, next, depth + 1);
    } catch (error) {
      const failure = failureOf(error, route.journal.steps, route.outer);
      route.journal.note('audio', next, `no sound: ${failure.message}`);
      // What most players meet is the first; where one could not be tried, nothing is known of the stream.
      if (!first || (failure.isOurs && !first.isOurs)) first = failure;
      if (route.patience.isOver) break;
    }
  }
  throw first;
}

function heard(route: Route, answered: Answered, first: Buffer): TunedIn {
  const { address, head } = answered;
  if (first.length === 0) throw dead(route, 'empty', 'it answers, and then nothing comes');
  if (isPage(head.headers.get('content-type'), first))
    throw dead(route, 'page', 'a web page comes, and no sound');
  route.journal.note('audio', address, `the first ${first.length} bytes came`);
  const metaint = parseMetaint(head.headers.get('icy-metaint'));
  if (metaint !== undefined) route.journal.note('titles', address, `room for a title every ${metaint} bytes`);
  return new TunedIn(route, answered);
}

/** By what comes, not by its name alone: some servers call their sound a page. */
function isPage(type: string | undefined, first: Buffer): boolean {
  // Byte by byte: what is looked for is ASCII, and decoding was a twentieth of all a probe takes.
  const begins = first.toString('latin1', 0, 256).replace(/^ï»¿/, '').trimStart();
  if (/^<(?:!doctype html|html|head|body|\?xml)/i.test(begins)) return true;
  // oxlint-disable-next-line no-control-regex -- sound has them, text has not
  return /^text\/html\b/i.test(type ?? '') && !/[\0-\x08\x0e-\x1a]/.test(begins);
}

const dead = (route: Route, code: FailureCode, detail: string): TuneInFailed =>
  withoutTrace(() => new TuneInFailed('dead', detail, { code, steps: route.journal.steps }));
