import { decodeText } from '../../formats/decode-text.ts';
import { parseMetaint } from '../../formats/icy/icy-splitter.ts';
import { parsePlaylist, type PlaylistKind } from '../../formats/playlist/parse-playlist.ts';
import { sniffPlaylist } from '../../formats/playlist/sniff-playlist.ts';
import type { FailureCode } from '../../lib/failure-code.ts';
import { withoutTrace } from '../../lib/fault.ts';
import type { SafeFetcher } from '../fetch/fetch-safely.ts';
import { Deadline } from '../fetch/deadline.ts';
import { tuneInFailureOf } from './failure.ts';
import { followHls } from './follow-hls.ts';
import { reach } from './reach.ts';
import { type Answered, Route, type TuneInOptions, TUNING } from './route.ts';
import { TuneInFailed } from './tune-in-failed.ts';
import { TunedIn } from './tuned-in.ts';

/**
 * Connects like a player and follows redirects, playlists and HLS until audio arrives. Throws `TuneInFailed` with the
 * reason. Dispose of the result, or its connection and slot stay in use.
 */
export async function tuneIn(
  fetcher: SafeFetcher,
  address: string,
  options: TuneInOptions = {},
): Promise<TunedIn> {
  const { deadlineMs = TUNING.deadlineMs } = options;
  const deadline = new Deadline(deadlineMs, options.signal);
  const route = new Route(fetcher, deadline, { ...options, deadlineMs });
  try {
    return await tune(route, address);
  } catch (error) {
    throw tuneInFailureOf(error, route.journal.steps, options.signal);
  } finally {
    deadline[Symbol.dispose]();
  }
}

const FIRST_BYTES = 512;

/** The audio at an address, or at one it leads to. `depth` counts the playlists on the way. */
async function tune(route: Route, address: string, depth = 0): Promise<TunedIn> {
  const answered = await reach(route, address);
  try {
    // A playlist may be shorter, and its server may never end the response.
    const failed = await route.untilBegun(answered, FIRST_BYTES)?.catch((error: unknown) => error);
    const first = answered.reader.body.subarray(0, FIRST_BYTES);
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
    throw dead(route, 'too_many_playlists', `more than ${TUNING.playlists} nested playlists`);
  let first: TuneInFailed | undefined;
  for (const next of addresses.slice(0, TUNING.addressesTried)) {
    try {
      return await tune(route, next, depth + 1);
    } catch (error) {
      const failure = tuneInFailureOf(error, route.journal.steps, route.outer);
      route.journal.note('audio', next, `no audio: ${failure.message}`);
      // Report the first failure, which most players meet too; but if one address could not be tried, the stream is
      // inconclusive.
      if (!first || (failure.isOurs && !first.isOurs)) first = failure;
      if (route.deadline.isOver) break;
    }
  }
  throw first;
}

function heard(route: Route, answered: Answered, first: Buffer): TunedIn {
  const { address, head } = answered;
  if (first.length === 0) throw dead(route, 'empty', 'it answers but sends no data');
  if (isPage(head.headers.get('content-type'), first))
    throw dead(route, 'page', 'it sends a web page instead of audio');
  route.journal.note('audio', address, `the first ${first.length} bytes arrived`);
  const metaint = parseMetaint(head.headers.get('icy-metaint'));
  if (metaint !== undefined) route.journal.note('titles', address, `a title every ${metaint} bytes`);
  return new TunedIn(route, answered);
}

/** Looks at the content, not only its type: some servers send audio as text/html. */
function isPage(type: string | undefined, first: Buffer): boolean {
  // As Latin-1: the patterns are ASCII, and decoding UTF-8 was a twentieth of a probe's time.
  const begins = first.toString('latin1', 0, 256).replace(/^ï»¿/, '').trimStart();
  if (/^<(?:!doctype html|html|head|body|\?xml)/i.test(begins)) return true;
  // oxlint-disable-next-line no-control-regex -- sound has them, text has not
  return /^text\/html\b/i.test(type ?? '') && !/[\0-\x08\x0e-\x1a]/.test(begins);
}

const dead = (route: Route, code: FailureCode, detail: string): TuneInFailed =>
  withoutTrace(() => new TuneInFailed('dead', detail, { code, steps: route.journal.steps }));
