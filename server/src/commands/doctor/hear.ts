import type { SafeFetcher } from '../../lib/fetch-safely/fetch-safely.ts';
import { type ProbedNow, probeAddress } from '../../probe/probe-now.ts';
import type { MenuLine } from './ask-as-radio.ts';
import { type Finding, broken, warning, well } from './finding.ts';

/** A station that a radio would turn to, and the stream that Tune gave it first. */
export interface Tuned {
  station: MenuLine;
  address: string;
}

const NAME = 'sound';
const LISTEN_MS = 8000;

/** Listens to them side by side, so that one silent station is told from a silent directory. */
export async function hear(
  fetcher: SafeFetcher,
  tuned: readonly Tuned[],
  enough: AbortSignal,
): Promise<Finding> {
  if (tuned.every(({ address }) => isFictional(address))) return madeUp(tuned.length);
  const signal = AbortSignal.any([enough, AbortSignal.timeout(LISTEN_MS)]);
  const listening = tuned.map((one) => listenTo(fetcher, one, signal));
  const first = await listening[0];
  // The others are not waited for when the first is all a listener wants.
  if (first?.probed.verdict === 'plays') return well(NAME, heardOf(first));
  const all = await Promise.all(listening);
  const heard = all.find(({ probed }) => probed.verdict === 'plays');
  if (!heard || !first) return nothingHeard(all.map(({ probed }) => probed));
  const { name, address } = first.station;
  const silent = `${name}, the most popular station, is silent (${reasonOf(first.probed)})`;
  return warning(NAME, `${silent}, but ${heardOf(heard)}`, `longwave why ${idIn(address)}`);
}

interface Listened {
  station: MenuLine;
  probed: ProbedNow;
}

async function listenTo(
  fetcher: SafeFetcher,
  { station, address }: Tuned,
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
    NAME,
    `${most(count)} ${count === 1 ? 'is' : 'are'} made up, as all of the demo are`,
    'for real ones: longwave import stations https://de1.api.radio-browser.info',
  );

function nothingHeard(probed: readonly ProbedNow[]): Finding {
  const [first] = probed;
  const text = `nothing is heard of ${most(probed.length)}: ${first ? reasonOf(first) : ''}`;
  return probed.every(({ undecided }) => undecided !== undefined)
    ? warning(NAME, text, 'see whether this machine reaches the internet: radios may all the same')
    : broken(
        NAME,
        text,
        `step by step: longwave probe ${first?.address ?? ''}; is this machine on the internet?`,
      );
}

function soundOf({ facts }: ProbedNow): string {
  const rate = facts?.bitrate === undefined ? '' : `, ${facts.bitrate} kbit/s`;
  return `${facts?.codec ?? facts?.format ?? 'sound'}${rate}`;
}

const reasonOf = ({ undecided, steps, verdict }: ProbedNow): string =>
  undecided ?? steps.at(-1)?.detail ?? verdict;

/** Names that no machine will ever have (RFC 2606). */
const isFictional = (address: string): boolean =>
  /(?:^|\.)(?:example(?:\.(?:com|net|org))?|invalid|test)$/.test(new URL(address).hostname);

/** The guide ID that a link to Tune asks for. */
const idIn = (address: string): string => new URL(address).searchParams.get('id') ?? 's1';
