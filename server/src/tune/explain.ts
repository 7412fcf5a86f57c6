import type { CheckStep } from '../catalog/stream-checks.ts';
import type { StreamFinding } from '../catalog/stream-findings.ts';
import type { ChosenProfile } from '../devices/choose-profile.ts';
import type { DirectoryStream } from '../directory/snapshot.ts';
import { formatNames } from '../lib/stream-format.ts';
import type { ExplainedDevice, ExplainedStream, Explanation } from '../opml/explain-outlines.ts';
import type { Choice } from './choice.ts';
import { playAddress } from './play-address.ts';
import type { Player } from './player.ts';
import { idsOf } from './stream-facts.ts';
import { WHY_THIS_DEVICE, whyLeftOut, whySunk } from './why.ts';

type Explained = Pick<Choice, 'tuned' | 'device' | 'player' | 'ranking'>;
export type Findings = ReadonlyMap<number, StreamFinding>;

/** The choice in words: what the device is taken for, and of each stream why it is where it is. */
export function explain({ tuned, device, player, ranking }: Explained, findings: Findings): Explanation {
  const said = (stream: DirectoryStream): Omit<ExplainedStream, 'position' | 'code' | 'reason'> => ({
    ...factsOf(stream, player, findings.get(stream.id)),
    guideId: idsOf(tuned, stream.id).guideId,
  });
  const { chosen, leftOut } = ranking;
  const given = chosen.map((stream, index) => ({
    ...said(stream),
    position: index + 1,
    code: 'chosen',
    reason: whyHere(stream, index, chosen, tuned.isSaved),
  }));
  const others = leftOut.map(({ stream, by }) => ({
    ...said(stream),
    position: undefined,
    code: by,
    reason: whyLeftOut(by),
  }));
  return { device: deviceOf(device, player), streams: [...given, ...others] };
}

const deviceOf = ({ profile, toldBy }: ChosenProfile, player: Player): ExplainedDevice => ({
  id: profile.id,
  name: profile.name,
  grade: profile.grade,
  evidence: profile.evidence,
  reason: WHY_THIS_DEVICE[toldBy],
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
  if (isSaved) return 'the listener saved it, and it is given as it is';
  const sunk = whySunk(stream);
  if (sunk !== undefined)
    return chosen.length === 1
      ? `there is no other, but ${sunk}`
      : `comes after all that play, since ${sunk}`;
  if (index > 0) return 'comes after what suits the device better, is more reliable or sounds better';
  return chosen.length === 1 ? 'the one stream that the device plays' : 'suits the device best';
}

const stepText = ({ what, ms, status, detail }: CheckStep): string =>
  `${what} ${Math.round(ms)} ms${status === undefined ? '' : ` ${status}`}: ${detail}`;
