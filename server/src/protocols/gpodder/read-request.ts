import { readOpmlList } from '../../formats/opml-list/parse.ts';
import { Fault } from '../../lib/fault.ts';
import { tryParseJson } from '../../lib/parse-json.ts';
import type { BodyCall } from '../../net/http/endpoints/body-endpoint.ts';
import { decodeComponent } from '../../net/http/decode-component.ts';

const LIST_FORMATS = ['json', 'txt', 'opml'] as const;
export type PodcastFormat = (typeof LIST_FORMATS)[number];

/** `/api/2/episodes/ann.json` is `api 2 episodes` with the names `ann`, in `json`. */
export interface GpodderRequest {
  /** The words of the path that name the call, in lower case. */
  call: string;
  /** What stands behind them: a user, a device, a number. */
  names: readonly string[];
  format: PodcastFormat;
}

/** The calls, each with the number of names behind it. */
const CALLS: readonly (readonly [call: string, names: number])[] = [
  ['api 2 auth', 2],
  ['api 2 devices', 1],
  ['api 2 devices', 2],
  ['api 2 subscriptions', 2],
  ['api 2 episodes', 1],
  ['api 2 favorites', 1],
  ['api 2 suggestions', 1],
  ['api 2 tags', 1],
  ['api 2 tag', 2],
  ['api 2 data', 1],
  ['subscriptions', 1],
  ['subscriptions', 2],
  ['suggestions', 1],
  ['toplist', 1],
  ['search', 0],
  ['clientconfig', 0],
];

/** Undefined for what is none of the calls. */
export function readGpodderRequest(path: string): GpodderRequest | undefined {
  const segments = path.split('/').filter((part) => part !== '');
  const decoded = segments.map((part) => decodeComponent(part.replaceAll('+', '%2B')));
  const last = decoded.pop();
  const dot = last?.lastIndexOf('.') ?? -1;
  if (last === undefined || dot < 1) return undefined;
  const format = LIST_FORMATS.find((each) => each === last.slice(dot + 1).toLowerCase());
  const words = [...decoded, last.slice(0, dot)];
  for (const [call, count] of CALLS) {
    const wanted = call.split(' ');
    const isCall =
      words.length === wanted.length + count && wanted.every((word, at) => words[at]?.toLowerCase() === word);
    const names = words.slice(wanted.length);
    if (isCall && format && names.every((name) => name !== undefined && isName(name)))
      return { call, names: names.map((name) => name ?? ''), format };
  }
  return undefined;
}

const MAX_NAME_LENGTH = 100;
const isName = (text: string): boolean =>
  text !== '' && text.length <= MAX_NAME_LENGTH && !/\p{Cc}/u.test(text) && text.isWellFormed();

/** Clients send JSON as a form, or say nothing about it. */
export function readJson({ body }: BodyCall): unknown {
  const value = body.length === 0 ? undefined : tryParseJson(body.toString('utf8'));
  if (value === undefined) throw new Fault(400, undefined, 'The body is no JSON; send it in UTF-8');
  return value;
}

export function readObject(call: BodyCall): Readonly<Record<string, unknown>> {
  const value = readJson(call);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Fault(400, undefined, 'Send a JSON object: {"name": "value"}');
  return { ...value };
}

/** As many as an account can have, or none of them left. */
const MAX_ADDRESSES = 2000;

/** A list of addresses that are texts. */
export function readAddresses(value: unknown, name: string): string[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value) || !value.every((each) => typeof each === 'string' && each.isWellFormed()))
    throw new Fault(400, undefined, `${name} is a list of the addresses of feeds: ["https://…"]`);
  return fewEnough(value);
}

function fewEnough(addresses: string[]): string[] {
  if (addresses.length <= MAX_ADDRESSES) return addresses;
  throw new Fault(400, undefined, `More than ${MAX_ADDRESSES} feeds at once; send them in parts`);
}

/** The whole list of a device, in the format that the path says. */
export async function readFeedList(call: BodyCall, format: PodcastFormat): Promise<string[]> {
  if (format === 'json') return readAddresses(readJson(call), 'The body');
  if (format === 'txt') {
    const lines = call.body.toString('utf8').toWellFormed().split(/\r?\n/);
    return fewEnough(lines.map((line) => line.trim()).filter((line) => line !== ''));
  }
  try {
    return fewEnough(
      await Array.fromAsync(
        readOpmlList(inOnePiece(call.body)),
        // Where a subscription has both, `url` is its web page.
        ({ address, attributes }) => attributes.get('xmlurl') || address,
      ),
    );
  } catch (error) {
    if (error instanceof Fault) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw new Fault(400, undefined, `The body is no OPML: ${why}`);
  }
}

async function* inOnePiece(bytes: Buffer): AsyncGenerator<Uint8Array> {
  yield bytes;
}

const MAX_SINCE = 10 ** 12;

/** Everything after this number; without it, everything. */
export function readSince({ query }: BodyCall): number {
  const text = query.get('since') ?? '';
  const number = text === '' ? 0 : Number(text);
  if (!Number.isFinite(number))
    throw new Fault(400, undefined, "'since' is the timestamp of an earlier answer, a whole number");
  return Math.min(Math.max(0, Math.floor(number)), MAX_SINCE);
}

/** From 1 to 100. */
export function readCount(text: string): number {
  const number = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (number < 1)
    throw new Fault(400, undefined, 'Say how many there should be, from 1 to 100: /toplist/50.json');
  return Math.min(number, 100);
}
