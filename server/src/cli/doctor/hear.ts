import { readOpmlList } from '../../formats/opml-list/parse.ts';
import { parsePlaylist } from '../../formats/playlist/parse-playlist.ts';
import type { Fetched, SafeFetcher } from '../../net/fetch/fetch-safely.ts';
import { probeAddress, type ProbedNow } from '../../workers/probe/probe-now.ts';
import { broken, type Finding, warning, well } from './check.ts';

/** A popular station, and the first stream that Tune gave for it. */
export interface TunedStream {
  station: MenuLine;
  address: string;
}

const SOUND = 'sound';
const LISTEN_MS = 8000;

/** Listens to several stations concurrently, to tell one silent station from a network problem. */
export async function hear(
  fetcher: SafeFetcher,
  tuned: readonly TunedStream[],
  enough: AbortSignal,
): Promise<Finding> {
  if (tuned.every(({ address }) => isFictional(address))) return madeUp(tuned.length);
  const signal = AbortSignal.any([enough, AbortSignal.timeout(LISTEN_MS)]);
  const listening = tuned.map((one) => listenTo(fetcher, one, signal));
  const first = await listening[0];
  // If the first one plays, there is no need to wait for the others.
  if (first?.probed.verdict === 'plays') return well(SOUND, heardOf(first));
  const all = await Promise.all(listening);
  const heard = all.find(({ probed }) => probed.verdict === 'plays');
  if (!heard || !first) return nothingHeard(all.map(({ probed }) => probed));
  const { name, address } = first.station;
  const silent = `${name}, the most popular station, is silent (${reasonOf(first.probed)})`;
  return warning(SOUND, `${silent}, but ${heardOf(heard)}`, `longwave why ${idIn(address)}`);
}

interface Listened {
  station: MenuLine;
  probed: ProbedNow;
}

async function listenTo(
  fetcher: SafeFetcher,
  { station, address }: TunedStream,
  signal: AbortSignal,
): Promise<Listened> {
  try {
    return { station, probed: await probeAddress(fetcher, address, signal) };
  } catch (error) {
    const undecided = signal.aborted ? 'it took too long' : String(error);
    return { station, probed: { address, verdict: 'dead', facts: undefined, steps: [], undecided } };
  }
}

const heardOf = ({ station, probed }: Listened): string =>
  `you would hear ${station.name}: ${soundOf(probed)}`;

const most = (count: number): string =>
  count === 1 ? 'the most popular station' : `the ${count} most popular stations`;

const madeUp = (count: number): Finding =>
  warning(
    SOUND,
    `${most(count)} ${count === 1 ? 'is' : 'are'} fictional, as in the demo`,
    'to get real ones: longwave import stations https://de1.api.radio-browser.info',
  );

function nothingHeard(probed: readonly ProbedNow[]): Finding {
  const [first] = probed;
  const text = `no audio from ${most(probed.length)}: ${first ? reasonOf(first) : ''}`;
  return probed.every(({ undecided }) => undecided !== undefined)
    ? warning(SOUND, text, 'check whether this machine reaches the internet; radios may, even if it does not')
    : broken(
        SOUND,
        text,
        `see each step with longwave probe ${first?.address ?? ''}; check this machine's network`,
      );
}

function soundOf({ facts }: ProbedNow): string {
  const rate = facts?.bitrate === undefined ? '' : `, ${facts.bitrate} kbit/s`;
  return `${facts?.codec ?? facts?.format ?? 'sound'}${rate}`;
}

const reasonOf = ({ undecided, steps, verdict }: ProbedNow): string =>
  undecided ?? steps.at(-1)?.detail ?? verdict;

/** Reserved names that never resolve (RFC 2606). */
const isFictional = (address: string): boolean =>
  /(?:^|\.)(?:example(?:\.(?:com|net|org))?|invalid|test)$/.test(new URL(address).hostname);

/** The guide ID in a link to Tune. */
const idIn = (address: string): string => new URL(address).searchParams.get('id') ?? 's1';

/** A menu entry with a link. */
export interface MenuLine {
  name: string;
  isStation: boolean;
  /** As written; radios may know this host by another name than this machine does. */
  address: string;
}

const ANSWER_MS = 3000;

/** Calls the server as a radio does, always at one address whatever host its links name. */
export class RadioCaller {
  readonly #fetcher: SafeFetcher;
  readonly #origin: string;
  readonly #headers: Readonly<Record<string, string>>;

  /** `host` is what a radio says it asks for, where that is not the origin itself. */
  constructor(fetcher: SafeFetcher, origin: string, host?: string) {
    this.#fetcher = fetcher;
    this.#origin = origin;
    this.#headers = host === undefined ? {} : { host };
  }

  async menu(path: string): Promise<MenuLine[]> {
    const { body } = await this.#ask(path);
    const lines: MenuLine[] = [];
    for await (const { name = '', type, address } of readOpmlList(inOnePiece(body)))
      lines.push({ name, isStation: type === 'audio', address });
    return lines;
  }

  /** The stream addresses, best first. */
  async tune(station: MenuLine): Promise<string[]> {
    const { pathname, search } = new URL(station.address);
    const { body, address } = await this.#ask(`${pathname}${search}`);
    return parsePlaylist('m3u', body.toString(), address);
  }

  async #ask(path: string): Promise<Fetched> {
    const answer = await this.#fetcher.fetch(`${this.#origin}${path}`, {
      deadlineMs: ANSWER_MS,
      mostRedirects: 0,
      headers: this.#headers,
    });
    if (answer.status !== 200) throw new Error(`${path} returned status ${answer.status}`);
    return answer;
  }
}

async function* inOnePiece(body: Buffer): AsyncGenerator<Uint8Array> {
  yield body;
}
