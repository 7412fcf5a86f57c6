import type { Audio } from '../../formats/audio/frames.ts';
import { identify, tagLength } from '../../formats/audio/identify.ts';
import { MAX_SEGMENTS, type MediaPlaylist } from '../../formats/hls/parse-hls.ts';
import type { FailureCode, Verdict } from '../../lib/failure-code.ts';
import type { SafeFetcher } from '../../net/fetch/fetch-safely.ts';
import type { Refused } from '../../net/tuner/reach.ts';
import { type TuneInStep, TuneInFailed } from '../../net/tuner/tune-in-failed.ts';
import { tuneIn } from '../../net/tuner/tune-in.ts';
import { type Heard, readSome, type TunedIn } from '../../net/tuner/tuned-in.ts';
import type { CheckStep, StreamFacts } from '../../storage/catalog/streams/stream-checks.ts';

/** The outcome of a probe. */
export interface Probed {
  verdict: Verdict;
  /** Undefined where there was nothing to measure. */
  facts: StreamFacts | undefined;
  steps: CheckStep[];
  retryAfterSeconds?: number | undefined;
}

const DEADLINE_MS = 12_000;
/**
 * A slow station sends this much in two seconds, most of them immediately; it suffices to identify every format in
 * use.
 */
const LISTEN_BYTES = 16 * 1024;
const LISTEN_MS = 6000;
/** What a broadcast that has ended leaves in its list: a longer one is a recording, which can be heard. */
const LEFT_OVER_SECONDS = 300;
/** Files may have a picture before their audio, which is skipped. */
const MAX_TAG_LENGTH = 2 ** 20;
const [MAX_ADDRESS_LENGTH, MAX_NAME_LENGTH, MAX_HERTZ] = [2048, 60, 1_000_000];

/**
 * Listens to a stream briefly as a player does, and identifies its format. Throws `TuneInFailed` where no audio came;
 * the caller decides whether the stream is to blame.
 */
export async function probeStream(
  fetcher: SafeFetcher,
  address: string,
  signal?: AbortSignal,
): Promise<Probed> {
  // Not `using`: this runs thousands of times a second, and V8 still keeps disposals on a slow path.
  const tuned = await tuneIn(fetcher, address, { deadlineMs: DEADLINE_MS, signal });
  try {
    return await listened(tuned, signal);
  } finally {
    tuned[Symbol.dispose]();
  }
}

async function listened(tuned: TunedIn, signal: AbortSignal | undefined): Promise<Probed> {
  const started = performance.now();
  let heard = await readSome(tuned, LISTEN_BYTES, LISTEN_MS);
  const tag = tagLength(heard.audio);
  if (heard.ended === 'enough' && tag >= LISTEN_BYTES / 2 && tag <= MAX_TAG_LENGTH)
    heard = await readSome(tuned, tag + LISTEN_BYTES, LISTEN_MS - (performance.now() - started));
  signal?.throwIfAborted();
  const audio = await identify(heard.audio, tuned.headers.get('content-type'));
  const ms = Math.round(performance.now() - started);
  const isOver = tuned.hls !== undefined && isLeftOver(tuned.hls);
  const detail = `${detailOf(heard, audio)}${isOver ? ', of a broadcast that has ended (#EXT-X-ENDLIST)' : ''}`;
  const steps = compactSteps([...tuned.steps, { what: 'audio', address: tuned.address, ms, detail }]);
  if (isOver) return { verdict: 'hls', facts: undefined, steps: endingWith(steps, 'away') };
  if (audio) return { verdict: 'plays', facts: factsOf(tuned, audio), steps };
  const { verdict, code } = unknownSound(tuned, heard);
  return { verdict, facts: undefined, steps: endingWith(steps, code) };
}

/** The steps up to a failure, and the failure itself at the end. */
export function failedSteps({ steps, message, code }: TuneInFailed, address: string): CheckStep[] {
  const last = steps.at(-1)?.address ?? address;
  const end = compactSteps([{ what: 'audio', address: last, ms: 0, detail: message }]);
  return [...compactSteps(steps), ...endingWith(end, code)];
}

function endingWith(steps: CheckStep[], code: FailureCode): CheckStep[] {
  const last = steps.at(-1);
  if (last) last.code = code;
  return steps;
}

/** The encoder has gone and said so: a listener would hear its last seconds, however often they try. */
function isLeftOver({ hasEnded, segments }: Pick<MediaPlaylist, 'hasEnded' | 'segments'>): boolean {
  // Of a list that has as many as are kept nobody knows how many there were.
  if (!hasEnded || segments.length >= MAX_SEGMENTS) return false;
  return segments.reduce((sum, { seconds }) => sum + seconds, 0) < LEFT_OVER_SECONDS;
}

const ENDINGS: Readonly<Record<Heard['ended'], string>> = {
  enough: '',
  end: ', then it ended',
  late: ', then nothing for a while',
  broken: ', then it broke off',
};

function detailOf({ bytes, ended }: Heard, audio: Audio | undefined): string {
  const what = audio ? describe(audio) : 'no known audio format';
  return `${what} in ${bytes} bytes${ENDINGS[ended]}`;
}

const SPEAKERS: readonly (string | undefined)[] = [undefined, 'mono', 'stereo'];

function describe({ codec, bitrate, sampleRate, channels }: Audio): string {
  let described = codec;
  if (bitrate !== undefined) described += `, ${Math.round(bitrate)} kbit/s`;
  if (sampleRate !== undefined) described += `, ${sampleRate} Hz`;
  if (channels !== undefined) described += `, ${SPEAKERS[channels] ?? `${channels} channels`}`;
  return described;
}

/** Audio in an unknown format, or no audio at all. */
function unknownSound({ kind, headers }: TunedIn, { audio, ended }: Heard): Refused {
  if (kind === 'hls') return { verdict: 'hls', code: 'no_sound' };
  const isMeant = /^(?:audio|video)\/|^application\/(?:ogg|octet-stream)\b/i.test(
    headers.get('content-type') ?? '',
  );
  if (!isMeant) return { verdict: 'dead', code: 'no_sound' };
  return ended === 'enough' && audio.length > 0
    ? { verdict: 'codec', code: 'unknown_codec' }
    : { verdict: 'dead', code: BROKEN_OFF[ended] };
}

/** Audio that stopped before its format could be identified. */
const BROKEN_OFF: Readonly<Record<Heard['ended'], FailureCode>> = {
  enough: 'no_sound',
  end: 'ended',
  late: 'late',
  broken: 'cut_off',
};

function factsOf(tuned: TunedIn, { format, codec, container, bitrate, sampleRate }: Audio): StreamFacts {
  const { entry, redirects } = routeOf(tuned.steps);
  return {
    format: tuned.kind === 'hls' ? 'hls' : format,
    playlist: tuned.playlist,
    codec: codec.slice(0, MAX_NAME_LENGTH),
    container: container?.slice(0, MAX_NAME_LENGTH),
    bitrate: usualBitrate(bitrate, announcedBitrate(tuned)),
    sampleRate: sampleRate !== undefined && sampleRate <= MAX_HERTZ ? Math.round(sampleRate) : undefined,
    resolvedAddress: entry !== undefined && entry.length <= MAX_ADDRESS_LENGTH ? entry : undefined,
    redirects,
  };
}

/** `icy-br: 128`, or `128,128` where a server has several. */
function announcedBitrate({ headers }: TunedIn): number | undefined {
  const [, digits] = /^\s*(\d{1,5})\b/.exec(headers.get('icy-br') ?? '') ?? [];
  return digits === undefined ? undefined : Number(digits);
}

interface RouteFacts {
  /** Where the playlists on the way lead, before any redirect; undefined where there were none. */
  entry: string | undefined;
  /** How many redirects a player that starts there follows before the audio. */
  redirects: number;
}

/** How a player gets to the audio, from the steps of a successful probe. */
export function routeOf(steps: readonly TuneInStep[]): RouteFacts {
  const route: RouteFacts = { entry: undefined, redirects: 0 };
  let isListed = false;
  let before: TuneInStep['what'] | undefined;
  for (const { what, address } of steps) {
    if (what === 'hls') break;
    isListed ||= what === 'playlist';
    if (what === 'redirect') route.redirects += 1;
    // Of several addresses the last is the one that plays; the target of a redirect may hold a key that expires
    // tomorrow.
    if (what === 'connect' && before !== 'redirect') {
      route.entry = isListed ? address : undefined;
      route.redirects = 0;
    }
    before = what;
  }
  return route;
}

const USUAL = [
  8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512, 640, 768, 1024,
  1411,
];
/** The bitrate of one second differs a little from that of a minute. */
const NEAR_SHARE = 0.25;
const MAX_KBITS = 10_000;

/**
 * The bitrate to save, in kbit/s: the announced one where it is close to the measurement, else the nearest usual one.
 * A measurement over a few frames differs each time, and each would count as a change.
 */
export function usualBitrate(measured: number | undefined, given: number | undefined): number | undefined {
  const said = given !== undefined && given >= 1 && given <= MAX_KBITS ? Math.round(given) : undefined;
  if (measured === undefined || !(measured > 0)) return said;
  if (said !== undefined && Math.abs(said - measured) <= NEAR_SHARE * measured) return said;
  return USUAL.reduce((best, rate) => (Math.abs(rate - measured) < Math.abs(best - measured) ? rate : best));
}

/** More steps than any useful route to a stream has. */
const MAX_STEPS = 12;
/** So that all of them, in any script, are less than the 16 KiB that the column takes. */
const [MAX_STEP_ADDRESS_LENGTH, MAX_STEP_DETAIL_LENGTH] = [200, 160];

/** The steps as stored: bounded, and with the address only where it differs from the one before. */
export function compactSteps(steps: readonly TuneInStep[]): CheckStep[] {
  const kept =
    steps.length <= MAX_STEPS ? steps : [...steps.slice(0, MAX_STEPS / 2), ...steps.slice(-MAX_STEPS / 2)];
  return kept.map(({ what, address, ms, status, detail }, index) => {
    const step: CheckStep = { what, ms, detail: cut(detail, MAX_STEP_DETAIL_LENGTH) };
    if (address !== kept[index - 1]?.address) step.address = cut(address, MAX_STEP_ADDRESS_LENGTH);
    if (status !== undefined) step.status = status;
    return step;
  });
}

/** PostgreSQL's text cannot hold a NUL or half a surrogate pair. */
function cut(text: string, most: number): string {
  const plain = text.includes('\0') ? text.replaceAll('\0', '') : text;
  return (plain.length <= most ? plain : `${plain.slice(0, most - 1)}…`).toWellFormed();
}
