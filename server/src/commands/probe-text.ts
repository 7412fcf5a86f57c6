import type { StreamFacts } from '../catalog/stream-checks.ts';
import type { Verdict } from '../lib/verdict.ts';
import type { ProbedNow } from '../probe/probe-now.ts';

const MEANINGS: Readonly<Record<Verdict, string>> = {
  plays: 'it plays',
  dead: 'nobody answers, or what answers is no sound',
  refused: 'it is not for us, or not from here; others may hear it',
  geo: 'it is only for some countries',
  tls: 'its certificate or its TLS is at fault',
  codec: 'it sends something that no radio plays',
  hls: 'its playlist of segments leads nowhere',
  busy: 'it is full, or is asked too often',
};

/** What was done, a line each, and what came of it. */
export function writeProbed(name: string, probed: ProbedNow): string {
  const { address, steps, verdict, facts, undecided, dueInSeconds } = probed;
  const lines = steps.map(
    ({ what, ms, address: at, detail }) =>
      `  ${what.padEnd(9)}${`${ms} ms`.padStart(9)}  ${detail}${at === undefined || at === address ? '' : ` (${at})`}`,
  );
  const result =
    undecided === undefined
      ? `${verdict}: ${MEANINGS[verdict]}${writeFacts(facts)}`
      : `undecided: ${undecided}; the fault may be on this side, so nothing is held against the stream`;
  const next = dueInSeconds === undefined ? '' : `; next look in ${writeSeconds(dueInSeconds)}`;
  return [`${name}  ${address}`, ...lines, `  => ${result}${next}`].map(plain).join('\n');
}

function writeFacts(facts: StreamFacts | undefined): string {
  if (!facts) return '';
  const { format, codec, bitrate, playlist, resolvedAddress, redirects } = facts;
  const parts = [
    `${format} (${codec})`,
    bitrate !== undefined && `${bitrate} kbit/s`,
    playlist !== undefined && `by a playlist (${playlist}) that leads to ${resolvedAddress}`,
    redirects !== undefined && redirects > 0 && `${redirects} ${redirects === 1 ? 'redirect' : 'redirects'}`,
  ];
  return `, ${parts.filter((part) => typeof part === 'string').join(', ')}`;
}

const UNITS: readonly [seconds: number, name: string][] = [
  [86_400, 'd'],
  [3600, 'h'],
  [60, 'min'],
  [1, 's'],
];

function writeSeconds(seconds: number): string {
  const [unit, name] = UNITS.find(([size]) => seconds >= 2 * size) ?? [1, 's'];
  return `${Math.round(seconds / unit)} ${name}`;
}

/** What strangers' servers said must not steer the terminal. */
export const plain = (line: string): string =>
  // oxlint-disable-next-line no-control-regex -- they are what is taken out
  line.replaceAll(/[\0-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g, '');
