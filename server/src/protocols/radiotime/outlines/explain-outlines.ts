import type { FieldValue, Outline } from '../../../formats/opml/document.ts';
import { objectOutline } from '../../../formats/opml/outlines.ts';
import type { DayHealth } from '../../../storage/catalog/streams/reliability.ts';

/** Why a device is given these streams and not the others. */
export interface Explanation {
  device: ExplainedDevice;
  /** The chosen ones in order, then the others. */
  streams: readonly ExplainedStream[];
}

export interface ExplainedDevice {
  id: string;
  name: string;
  grade: string;
  evidence: string;
  /** Why this device profile was assumed. */
  reason: string;
  plays: readonly string[];
  tls: string;
  playlists: readonly string[];
}

export interface ExplainedStream {
  guideId: string;
  address: string;
  /** From 1; undefined for streams that are not offered. */
  position: number | undefined;
  /** `chosen`, or the rule that excluded it. */
  code: string;
  reason: string;
  verdict: string | undefined;
  reliability: number;
  format: string | undefined;
  codec: string | undefined;
  bitrate: number;
  checkedAt: Temporal.Instant | undefined;
  aliveAt: Temporal.Instant | undefined;
  /** The last thirty days, oldest first. */
  health: readonly DayHealth[] | undefined;
  failedAt: Temporal.Instant | undefined;
  failure: string | undefined;
  failureCode: string | undefined;
  steps: readonly string[];
}

export const explanationOutlines = ({ device, streams }: Explanation): Outline[] => [
  deviceObject(device),
  ...streams.map(explainedObject),
];

const deviceObject = ({ plays, playlists, ...device }: ExplainedDevice): Outline =>
  objectOutline(device.name, 'device', [
    ['id', device.id],
    ['name', device.name],
    ['reason', device.reason],
    ['grade', device.grade],
    ['evidence', device.evidence],
    ['formats', plays.join(',')],
    ['tls', device.tls],
    ['playlists', playlists.join(',') || 'none'],
  ]);

const DAY_LETTERS: Readonly<Record<DayHealth, string>> = {
  heard: 'h',
  mixed: 'm',
  silent: 's',
  unknown: '-',
};

const explainedObject = (stream: ExplainedStream): Outline =>
  objectOutline(stream.address, 'stream', [
    ['guideId', stream.guideId],
    ['url', stream.address],
    ['position', orNull(stream.position)],
    ['code', stream.code],
    ['reason', stream.reason],
    ['verdict', orNull(stream.verdict)],
    ['reliability', Math.round(stream.reliability)],
    ['mediaType', orNull(stream.format)],
    ['codec', orNull(stream.codec)],
    ['bitrate', stream.bitrate],
    ['checkedAt', orNull(stream.checkedAt?.toString({ smallestUnit: 'second' }))],
    ['heardAt', orNull(stream.aliveAt?.toString({ smallestUnit: 'second' }))],
    ['days', orNull(stream.health?.map((day) => DAY_LETTERS[day]).join(''))],
    ['failedAt', orNull(stream.failedAt?.toString({ smallestUnit: 'second' }))],
    ['failure', orNull(stream.failure)],
    ['failureCode', orNull(stream.failureCode)],
    ['steps', stream.steps.join(' | ')],
  ]);

const orNull = (value: string | number | undefined): FieldValue => value ?? null;
