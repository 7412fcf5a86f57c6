import { gzipSync } from 'node:zlib';
import { feedText, versionOf } from './content.ts';
import { type FarmPlace, movedAddress } from './hosts.ts';
import { chance, type Kind, kindOf } from './kinds.ts';

export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
  afterMs: number;
}

/** What a crawler asks: for a feed, at the place it moved to or not, with what it was given last time. */
export interface Asked {
  number: number;
  round: number;
  hasMoved: boolean;
  etag: string | undefined;
  since: string | undefined;
}

export interface FarmOptions extends FarmPlace {
  /** How long the slow feeds take. */
  slowMs: readonly [least: number, most: number];
  stuckMs: number;
}

export const RETRY_AFTER_SECONDS = 5400;
const NOTHING = Buffer.alloc(0);
const CHANGED = Date.UTC(2026, 5, 1);
const QUICK_MS = 2;

export function answerTo(asked: Asked, options: FarmOptions): Answer {
  const kind = kindOf(asked.number);
  const refused = refusalOf(kind, asked, options);
  const said = refused ?? (isKnown(asked, kind) ? { status: 304 } : { status: 200, ...bodyOf(asked, kind) });
  const headers = { ...(refused ? {} : validators(asked, kind)), ...said.headers };
  return { body: NOTHING, ...said, headers, afterMs: delayOf(asked.number, kind, options) };
}

type Said = Partial<Answer> & Pick<Answer, 'status'>;

function refusalOf(kind: Kind, { number, round, hasMoved }: Asked, place: FarmPlace): Said | undefined {
  const location = movedAddress(number, place);
  if (kind === 'gone') return { status: 410 };
  if (kind === 'missing') return { status: 404 };
  if (kind === 'moved' && !hasMoved) return { status: 301, headers: { location } };
  if (kind === 'lent' && !hasMoved) return { status: 302, headers: { location } };
  if (kind === 'limited' && round === 1)
    return { status: 429, headers: { 'retry-after': String(RETRY_AFTER_SECONDS) } };
  return kind === 'ailing' && round === 1 ? { status: 503 } : undefined;
}

const hasDateOnly = (kind: Kind): boolean => kind === 'dated' || kind === 'slow';
const etagOf = ({ number, round }: Asked): string =>
  `${number % 3 === 0 ? 'W/' : ''}"${number}-${versionOf(number, round)}"`;
const dateOf = ({ number, round }: Asked): Date =>
  new Date(CHANGED + versionOf(number, round) * 60_000 + (number % 1000) * 1000);

function validators(asked: Asked, kind: Kind): Record<string, string> {
  if (kind === 'unmarked' || kind === 'broken') return {};
  if (hasDateOnly(kind)) return { 'last-modified': dateOf(asked).toUTCString() };
  return { etag: etagOf(asked) };
}

/** Whether the one who asks has it already. */
function isKnown(asked: Asked, kind: Kind): boolean {
  if (kind === 'unmarked' || kind === 'broken') return false;
  if (!hasDateOnly(kind)) return asked.etag === etagOf(asked);
  return asked.since !== undefined && Date.parse(asked.since) >= dateOf(asked).getTime();
}

const packed = new Map<number, Buffer>();

function bodyOf({ number, round }: Asked, kind: Kind): Pick<Answer, 'headers' | 'body'> {
  const text = (): string => feedText(number, versionOf(number, round));
  const type = { 'content-type': 'application/rss+xml' };
  if (kind === 'broken') return { headers: type, body: brokenBody(number, text()) };
  if (kind === 'recoded') return { headers: type, body: Buffer.from(text(), 'latin1') };
  if (kind !== 'huge' && kind !== 'oversized') return { headers: type, body: Buffer.from(text()) };
  const body = packed.getOrInsertComputed(number, () => gzipSync(text(), { level: 6 }));
  return { headers: { ...type, 'content-encoding': 'gzip' }, body };
}

/** A page, a feed cut in the middle, tags that do not match, nothing at all. */
function brokenBody(number: number, text: string): Buffer {
  const bodies = [
    '<!doctype html><html><head><title>Parked</title></head><body><p>This name is for sale.</body></html>',
    text.slice(0, Math.floor(text.length / 2)),
    text.replace('</channel>', '</item>').replace('</feed>', '</entry>'),
    '',
  ];
  return Buffer.from(bodies[number % bodies.length] ?? '');
}

/** No answer comes at once, so that who asks a host too often at a time is seen doing it. */
function delayOf(number: number, kind: Kind, { slowMs: [least, most], stuckMs }: FarmOptions): number {
  if (kind === 'stuck') return stuckMs;
  if (kind === 'slow') return least + chance(number, 3) * (most - least);
  return QUICK_MS + (number % 5);
}
