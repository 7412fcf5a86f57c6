import type { DayHealth } from '../catalog/stream-health.ts';
import type { ExplainedStream, Explanation } from '../opml/explain-outlines.ts';
import { inColumns } from './in-columns.ts';
import { plain } from './probe-text.ts';

export interface ToldStation {
  title: string;
  isListed: boolean;
}

/** For an operator's screen: the device, then a paragraph for each stream. */
export function writeWhy({ title, isListed }: ToldStation, { device, streams }: Explanation): string {
  const about = inColumns([
    ['device', `${device.id} (${device.grade}): ${device.name}`],
    ['taken for that', device.reason],
    ['plays', device.plays.join(', ')],
    ['TLS', TLS.get(device.tls) ?? device.tls],
    ['playlists', device.playlists.join(', ') || 'none'],
    ['evidence', device.evidence],
  ]);
  const listed = streams.length > 0 ? streams.map(writeStream) : [NOTHING];
  const legend = streams.some(({ health }) => health) ? [LEGEND] : [];
  return [plain(title), ...(isListed ? [] : [UNLISTED]), about, ...listed, ...legend].join('\n\n');
}

const UNLISTED =
  'It is not listed: a player hears that there is nothing to hear just now. What follows would be, if it were.';
const NOTHING = 'It has no stream that is listed: a player hears that there is nothing to hear just now.';

const TLS = new Map([
  ['none', 'no: streams by HTTPS are held back'],
  ['old', 'perhaps: plain HTTP goes first'],
  ['modern', 'yes'],
]);

const DAYS: Readonly<Record<DayHealth, string>> = { heard: '+', mixed: '~', silent: '-', unknown: '.' };
const LEGEND = 'days: + heard, ~ heard and silent, - silent, . not known; the last is today (UTC)';

function writeStream(stream: ExplainedStream): string {
  const place = stream.position === undefined ? '-' : `${stream.position}.`;
  const rate = stream.bitrate > 0 ? `${stream.bitrate} kbps ` : '';
  const kind = `${rate}${stream.format?.toUpperCase() ?? 'unknown format'}${stream.codec ? ` (${stream.codec})` : ''}`;
  const heard = stream.verdict ?? 'never listened to';
  return [
    `${place.padEnd(3)} ${stream.guideId} ${stream.address}`,
    `    ${kind}, ${heard}, reliability ${Math.round(stream.reliability)}${lastCheck(stream)}`,
    `    ${stream.position === undefined ? `not given (${stream.code}): ` : ''}${stream.reason}`,
    ...writeHealth(stream),
    ...stream.steps.map((step) => `      ${step}`),
  ]
    .map(plain)
    .join('\n');
}

function writeHealth({ health, failedAt, failure, verdict }: ExplainedStream): string[] {
  const days = health ? [`    days ${health.map((day) => DAYS[day]).join('')}`] : [];
  // Of the last check the steps below tell it.
  const hasOlder = failedAt !== undefined && verdict === 'plays';
  return hasOlder
    ? [...days, `    last silent ${at(failedAt)}: ${failure ?? 'no reason was written down'}`]
    : days;
}

const at = (time: Temporal.Instant): string => time.toString({ smallestUnit: 'second' });

function lastCheck({ checkedAt, aliveAt }: ExplainedStream): string {
  const checked = checkedAt ? `, checked ${at(checkedAt)}` : '';
  return aliveAt ? `${checked}, last heard ${at(aliveAt)}` : checked;
}
