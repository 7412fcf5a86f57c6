import type { ChosenProfile } from '../../../core/devices/profiles.ts';
import type { DirectoryStream } from '../../../core/directory/snapshot/snapshot.ts';
import { WHY_THIS_DEVICE, whyLeftOut, whySunk } from '../../../core/streams/choose-streams.ts';
import { whyRelayed } from '../../../core/streams/relay/relayed.ts';
import { playAddress, type Player } from '../../../core/streams/player.ts';
import { formatNames } from '../../../lib/stream-format.ts';
import type { CheckStep, StreamFinding } from '../../../storage/catalog/streams/stream-checks.ts';
import type { ExplainedDevice, ExplainedStream, Explanation } from '../outlines/explain-outlines.ts';
import type { StreamChoice } from './choice.ts';
import { idsOf } from './stream-facts.ts';

type Explained = Pick<StreamChoice, 'tuned' | 'device' | 'player' | 'ranking' | 'order'>;
export type Findings = ReadonlyMap<number, StreamFinding>;

/** The choice in words: the assumed device, and the reason for each stream's position. */
export function explain(
  { tuned, device, player, ranking, order }: Explained,
  findings: Findings,
): Explanation {
  const said = (stream: DirectoryStream): Omit<ExplainedStream, 'position' | 'code' | 'reason'> => ({
    ...factsOf(stream, player, findings.get(stream.id)),
    guideId: idsOf(tuned, stream.id).guideId,
  });
  const { chosen, leftOut } = ranking;
  const given = order.map(({ stream, relayedFor }, index) => ({
    ...said(stream),
    position: index + 1,
    code: relayedFor === undefined ? 'chosen' : 'relayed',
    reason: relayedFor === undefined ? whyHere(stream, index, chosen, tuned.isSaved) : whyRelayed(relayedFor),
  }));
  const shown = new Set(order.map(({ stream }) => stream));
  const others = leftOut
    .filter(({ stream }) => !shown.has(stream))
    .map(({ stream, by }) => ({ ...said(stream), position: undefined, code: by, reason: whyLeftOut(by) }));
  return { device: deviceOf(device, player), streams: [...given, ...others] };
}

const deviceOf = ({ profile, source }: ChosenProfile, player: Player): ExplainedDevice => ({
  id: profile.id,
  name: profile.name,
  grade: profile.grade,
  evidence: profile.evidence,
  reason: WHY_THIS_DEVICE[source],
  plays: formatNames(player.formats),
  tls: player.tls,
  playlists: player.playlists,
});

const factsOf = (
  stream: DirectoryStream,
  player: Player,
  finding: StreamFinding | undefined,
): Omit<ExplainedStream, 'guideId' | 'position' | 'code' | 'reason'> => ({
  address: playAddress(stream, player),
  verdict: stream.verdict,
  reliability: stream.reliability,
  format: stream.format,
  codec: stream.codec,
  bitrate: stream.bitrate,
  checkedAt: finding?.checkedAt,
  aliveAt: finding?.aliveAt,
  health: finding?.health,
  failedAt: finding?.failedAt,
  failure: finding?.failure,
  failureCode: finding?.failureCode,
  steps: finding?.steps.map(stepText) ?? [],
});

function whyHere(
  stream: DirectoryStream,
  index: number,
  chosen: readonly DirectoryStream[],
  isSaved: true | undefined,
): string {
  if (isSaved) return 'the listener saved it, so it is used as it is';
  const sunk = whySunk(stream);
  if (sunk !== undefined)
    return chosen.length === 1
      ? `it is the only one, but ${sunk}`
      : `comes after all that play, since ${sunk}`;
  if (index > 0) return 'comes after streams that suit the device better, are more reliable or sound better';
  return chosen.length === 1 ? 'the only stream that the device plays' : 'suits the device best';
}

const stepText = ({ what, ms, status, detail }: CheckStep): string =>
  `${what} ${Math.round(ms)} ms${status === undefined ? '' : ` ${status}`}: ${detail}`;
