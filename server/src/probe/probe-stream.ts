import type { CheckStep, StreamFacts } from '../catalog/stream-checks.ts';
import type { Audio } from '../formats/audio/audio.ts';
import { identify, tagLength } from '../formats/audio/identify.ts';
import type { SafeFetcher } from '../lib/fetch-safely/fetch-safely.ts';
import type { FailureCode } from '../lib/failure-code.ts';
import type { Verdict } from '../lib/verdict.ts';
import { type Heard, readSome } from '../tuner/read-some.ts';
import type { Refused } from '../tuner/refusal.ts';
import { TuneInFailed } from '../tuner/tune-in-failed.ts';
import { tuneIn } from '../tuner/tune-in.ts';
import type { TunedIn } from '../tuner/tuned-in.ts';
import { compactSteps } from './compact-steps.ts';
import { usualBitrate } from './usual-bitrate.ts';
import { wayOf } from './way.ts';

/** What came of listening. */
export interface Probed {
  verdict: Verdict;
  /** Undefined where there was nothing to measure. */
  facts: StreamFacts | undefined;
  steps: CheckStep[];
  retryAfterSeconds?: number | undefined;
}

const DEADLINE_MS = 12_000;
/** A slow station sends this much in two seconds, most of them at once; it tells every format that is in use. */
const LISTEN_BYTES = 16 * 1024;
const LISTEN_MS = 6000;
/** Files have a picture in front of their sound, which is passed over. */
const LONGEST_TAG = 2 ** 20;
const [LONGEST_ADDRESS, LONGEST_NAME, MOST_HERTZ] = [2048, 60, 1_000_000];

/**
 * Listens to a stream as a player does, for a moment, and says what it is. Throws `TuneInFailed` where no sound came:
 * whether the stream is to blame is for others to say.
 */
export async function probeStream(
  fetcher: SafeFetcher,
  address: string,
  signal?: AbortSignal,
): Promise<Probed> {
  // Not `using`: this is done thousands of times a second, and V8 keeps its disposals on a slow path so far.
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
  if (heard.ended === 'enough' && tag >= LISTEN_BYTES / 2 && tag <= LONGEST_TAG)
    heard = await readSome(tuned, tag + LISTEN_BYTES, LISTEN_MS - (performance.now() - started));
  signal?.throwIfAborted();
  const audio = await identify(heard.audio, tuned.headers.get('content-type'));
  const ms = Math.round(performance.now() - started);
  const steps = compactSteps([
    ...tuned.steps,
    { what: 'audio', address: tuned.address, ms, detail: detailOf(heard, audio) },
  ]);
  if (audio) return { verdict: 'plays', facts: factsOf(tuned, audio), steps };
  const { verdict, code } = unknownSound(tuned, heard);
  return { verdict, facts: undefined, steps: endingWith(steps, code) };
}

/** The way to a failure, and the failure itself at its end. */
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

const THEN: Readonly<Record<Heard['ended'], string>> = {
  enough: '',
  end: ', then it ended',
  late: ', then nothing for a while',
  broken: ', then it broke off',
};

function detailOf({ bytes, ended }: Heard, audio: Audio | undefined): string {
  const what = audio ? describe(audio) : 'nothing that is known as sound';
  return `${what} in ${bytes} bytes${THEN[ended]}`;
}

const SPEAKERS: readonly (string | undefined)[] = [undefined, 'mono', 'stereo'];

function describe({ codec, bitrate, sampleRate, channels }: Audio): string {
  let described = codec;
  if (bitrate !== undefined) described += `, ${Math.round(bitrate)} kbit/s`;
  if (sampleRate !== undefined) described += `, ${sampleRate} Hz`;
  if (channels !== undefined) described += `, ${SPEAKERS[channels] ?? `${channels} channels`}`;
  return described;
}

/** Bytes of a sound that nobody here knows, or no sound at all. */
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

/** What was meant as sound, and stopped before it could be told which. */
const BROKEN_OFF: Readonly<Record<Heard['ended'], FailureCode>> = {
  enough: 'no_sound',
  end: 'ended',
  late: 'late',
  broken: 'cut_off',
};

function factsOf(tuned: TunedIn, { format, codec, container, bitrate, sampleRate }: Audio): StreamFacts {
  const { entry, redirects } = wayOf(tuned.steps);
  return {
    format: tuned.kind === 'hls' ? 'hls' : format,
    playlist: tuned.playlist,
    codec: codec.slice(0, LONGEST_NAME),
    container: container?.slice(0, LONGEST_NAME),
    bitrate: usualBitrate(bitrate, toldBitrate(tuned)),
    sampleRate: sampleRate !== undefined && sampleRate <= MOST_HERTZ ? Math.round(sampleRate) : undefined,
    resolvedAddress: entry !== undefined && entry.length <= LONGEST_ADDRESS ? entry : undefined,
    redirects,
  };
}

/** `icy-br: 128`, or `128,128` where a server has several. */
function toldBitrate({ headers }: TunedIn): number | undefined {
  const [, digits] = /^\s*(\d{1,5})\b/.exec(headers.get('icy-br') ?? '') ?? [];
  return digits === undefined ? undefined : Number(digits);
}
