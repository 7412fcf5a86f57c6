import { type Described, type Outline, parseNumber } from './outline.ts';

/** Why a device is given the streams it is given, and not the others. */
export interface Explanation {
  /** What the directory takes the caller for; undefined where a directory does not explain itself. */
  device: ExplainedDevice | undefined;
  /** Those that are given first, in their order, then those that are left out. */
  streams: readonly ExplainedStream[];
}

export interface ExplainedDevice {
  /** The name that `device` takes. */
  id: string;
  name: string;
  /** Why it is taken for that. */
  reason: string;
  /** How well its profile is known: `tested`, `confirmed` or `inferred`, and by what. */
  grade: string;
  evidence: string;
  formats: readonly string[];
  tls: string;
  playlists: readonly string[];
}

/** How a stream did on a day; `mixed` where it was heard at times. */
export type DayHealth = 'heard' | 'mixed' | 'silent' | 'unknown';

export interface ExplainedStream {
  guideId: string;
  url: string;
  /** The place in which it is tried, from 1; undefined for what is left out. */
  position: number | undefined;
  /** `chosen`, or by what it is left out: `format`, `tls`, `hls`, `redirect`, … */
  code: string;
  /** The same as a sentence, in English. */
  reason: string;
  /** What the last check found: `plays`, `dead`, …; undefined when nobody has listened yet. */
  verdict: string | undefined;
  /** Of 100. */
  reliability: number;
  mediaType: string | undefined;
  codec: string | undefined;
  /** In kbit/s; 0 when nobody knows. */
  bitrate: number;
  checkedAt: Date | undefined;
  heardAt: Date | undefined;
  /** The last days by UTC, the oldest first and today last; none when nobody has listened yet. */
  days: readonly DayHealth[];
  failedAt: Date | undefined;
  /** Why nothing was heard then, in English. */
  failure: string | undefined;
  /** The same in a word, such as `http_404`; undefined where a directory tells none. */
  failureCode: string | undefined;
  /** What happened at the last check, step by step. */
  steps: readonly string[];
}

const DAYS = new Map<string, DayHealth>([
  ['h', 'heard'],
  ['m', 'mixed'],
  ['s', 'silent'],
]);

export function readExplanation(outlines: readonly Outline[]): Explanation {
  const said = outlines.map(({ described }) => described).filter((one) => one !== undefined);
  const device = said.find(({ kind }) => kind === 'device');
  return {
    device: device && readDevice(device),
    streams: said.filter(({ kind }) => kind === 'stream').map(readStream),
  };
}

function readDevice({ fields }: Described): ExplainedDevice {
  const { id = '', name = '', reason = '', grade = '', evidence = '', tls = '' } = fields;
  const playlists = fields['playlists'] === 'none' ? [] : listOf(fields['playlists'], ',');
  return { id, name, reason, grade, evidence, formats: listOf(fields['formats'], ','), tls, playlists };
}

function readStream({ fields }: Described): ExplainedStream {
  const { url = '', code = '', reason = '', guide_id: guideId = '' } = fields;
  return {
    guideId,
    url,
    position: parseNumber(fields['position']),
    code,
    reason,
    verdict: fields['verdict'] || undefined,
    reliability: parseNumber(fields['reliability']) ?? 0,
    mediaType: fields['media_type'] || undefined,
    codec: fields['codec'] || undefined,
    bitrate: parseNumber(fields['bitrate']) ?? 0,
    checkedAt: parseTime(fields['checked_at']),
    heardAt: parseTime(fields['heard_at']),
    days: Array.from(fields['days'] ?? '', (letter) => DAYS.get(letter) ?? 'unknown'),
    failedAt: parseTime(fields['failed_at']),
    failure: fields['failure'] || undefined,
    failureCode: fields['failure_code'] || undefined,
    steps: listOf(fields['steps'], ' | '),
  };
}

const listOf = (text = '', separator: string): string[] => text.split(separator).filter(Boolean);

function parseTime(text = ''): Date | undefined {
  const time = new Date(text);
  return Number.isNaN(time.getTime()) ? undefined : time;
}
