/** Listens to each address it is given, in a process of its own, and writes how each ended and what it took. */
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { identify } from '../../src/formats/audio/identify.ts';
import { oggSong } from '../../src/formats/audio/ogg.ts';
import { SafeFetcher } from '../../src/net/fetch/fetch-safely.ts';
import { TuneInFailed } from '../../src/net/tuner/tune-in-failed.ts';
import { tuneIn } from '../../src/net/tuner/tune-in.ts';
import { readSome } from '../../src/net/tuner/tuned-in.ts';

export interface Listened {
  name: string;
  /** What it was found to be: a verdict, what was heard, or the name of an error that nobody expects. */
  ended: string;
  detail: string;
  titles: string[];
  steps: number;
  ms: number;
  /** By how much the process grew at its largest, over what it was before. */
  grownBytes: number;
  /** Connections that are there when all is over. */
  stillOpen: number;
}

interface Task {
  stations: { name: string; address: string }[];
  deadlineMs: number;
}

const WANTED_BYTES = 32 * 1024;

// oxlint-disable-next-line no-unsafe-type-assertion -- written by the test
const { stations, deadlineMs } = JSON.parse(await text(process.stdin)) as Task;
const fetcher = new SafeFetcher({
  policy: {
    resolve: async (host) => [host.startsWith('inside.') ? '127.0.0.1' : '127.0.0.2'],
    isAllowed: (ip) => ip === '127.0.0.2',
    connectMs: deadlineMs / 3,
  },
});

type Outcome = Pick<Listened, 'ended' | 'detail' | 'titles' | 'steps'>;

/** As a probe does: half of the time to find the sound, half to hear it. */
async function listen(address: string): Promise<Outcome> {
  using tuned = await tuneIn(fetcher, address, { deadlineMs: deadlineMs / 2 });
  const { audio, titles, ended } = await readSome(tuned, WANTED_BYTES, deadlineMs / 2);
  const sound = await identify(audio, tuned.headers.get('content-type'));
  oggSong(audio);
  return {
    ended: sound?.format ?? 'no sound',
    detail: ended,
    titles: [...titles],
    steps: tuned.steps.length,
  };
}

function failed(error: unknown): Outcome {
  if (!(error instanceof TuneInFailed))
    return { ended: 'unexpected', detail: String(error), titles: [], steps: 0 };
  const ended = error.isOurs ? 'ours' : error.verdict;
  return { ended, detail: error.message, titles: [], steps: error.steps.length };
}

async function listenTo({ name, address }: Task['stations'][number]): Promise<Listened> {
  globalThis.gc?.();
  const before = process.memoryUsage.rss();
  let largest = before;
  const look = (): void => void (largest = Math.max(largest, process.memoryUsage.rss()));
  const looking = setInterval(look, 2);
  const start = performance.now();
  const outcome = await listen(address).catch(failed);
  const ms = performance.now() - start;
  look();
  clearInterval(looking);
  return { name, ...outcome, ms, grownBytes: largest - before, stillOpen: await stillOpen() };
}

const openCount = (): number =>
  process.getActiveResourcesInfo().filter((resource) => resource === 'TCPSocketWrap').length;

/** One that was told to close is closed a moment later. */
async function stillOpen(): Promise<number> {
  for (let tries = 0; openCount() > 0 && tries < 20; tries += 1) await sleep(5);
  return openCount();
}

const all: Listened[] = [];
// The first goes twice: what a process loads once is no station's doing.
for (const station of [stations[0]!, ...stations]) all.push(await listenTo(station));
process.stdout.write(JSON.stringify(all.slice(1)));
