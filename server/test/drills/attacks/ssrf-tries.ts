/** Tries to get inside, in an internet of its own, by every way and every address; writes what came of it as JSON. */
import { once } from 'node:events';
import { connect, isIP } from 'node:net';
import { parseFeed } from '../../../src/formats/feed/parse-feed.ts';
import { SafeFetcher } from '../../../src/net/fetch/fetch-safely.ts';
import { Deadline } from '../../../src/net/fetch/deadline.ts';
import { lookUpBy, publicInternet } from '../../../src/net/fetch/policy.ts';
import { TuneInFailed } from '../../../src/net/tuner/tune-in-failed.ts';
import { tuneIn } from '../../../src/net/tuner/tune-in.ts';
import { readSome } from '../../../src/net/tuner/tuned-in.ts';
import { OUTSIDE, PORT, SECRET, SOUND, startCanary } from '../../internet/canary-host.ts';
import { HOSTILE_IPS, hostileUrls } from '../../internet/hostile-addresses.ts';
import { startNameServer } from '../../servers/name-server.ts';

export interface SsrfReport {
  /** How often each way was tried. */
  tries: number;
  /** What each way made of an address: the name of the error, or what went through. */
  outcomes: Record<string, Record<string, number>>;
  /** Tries that ended otherwise than with a refusal. */
  odd: string[];
  /** Connections at each address while the guard was on. */
  heard: Record<string, number>;
  /** What the same ways reach when the address is a good one. */
  good: Record<string, string>;
  /** Addresses where the canary hears who connects without asking. */
  heardUnguarded: string[];
}

await using canary = await startCanary();
/** `is7.…` has the hostile address 7, `mixed7.…` a good one beside it, everything else is outside. */
await using names = await startNameServer((name) => {
  const [, kind, index] = /^(is|mixed)(\d+)\./.exec(name) ?? [];
  const ip = HOSTILE_IPS[Number(index)];
  if (ip === undefined) return [OUTSIDE];
  return kind === 'is' ? [ip] : [OUTSIDE, ip];
});
const resolve = lookUpBy([names.server]);
const fetcher = new SafeFetcher({ policy: { ...publicInternet, resolve } });

const outside = (path: string, to: string): string =>
  `http://radio.example.net:${PORT}${path}?to=${encodeURIComponent(to)}`;
const get = async (address: string): Promise<string> => (await fetcher.fetch(address)).body.toString();

/** What a feed names is fetched as it is after reading: an address that the reader drops leads nowhere. */
type Named = 'image' | 'newAddress' | 'hub' | 'homepage' | 'enclosure';
async function namedBy(to: string, what: Named): Promise<string> {
  const { body, address } = await fetcher.fetch(outside('/feed', to));
  const feed = parseFeed(body, address);
  const found = what === 'enclosure' ? feed.items[0]?.address : feed[what];
  if (found === undefined) throw new Dropped();
  return found;
}
class Dropped extends Error {
  override name = 'Dropped';
}

/** What is heard at an address, as far as one tunes in; why not, where the guard or a reader of playlists said no. */
async function heardAt(address: string): Promise<string> {
  try {
    using tuned = await tuneIn(fetcher, address, { deadlineMs: 5000 });
    return (await readSome(tuned, 2 * SECRET.length, 1000)).audio.toString();
  } catch (error) {
    throw reasonOf(error);
  }
}

function reasonOf(error: unknown): unknown {
  let reason = error;
  while (reason instanceof TuneInFailed && reason.cause !== undefined) reason = reason.cause;
  const isDropped = reason instanceof Error && /playlist is empty|has no|invalid target/.test(reason.message);
  return isDropped ? new Dropped() : reason;
}

const WAYS: Record<string, (address: string) => Promise<string>> = {
  fastPath: get,
  'by a redirect': (address) => get(outside('/redirect', address)),
  'by two redirects': (address) => get(outside('/redirect', outside('/redirect', address))),
  'as an enclosure': async (address) => get(await namedBy(address, 'enclosure')),
  'as an image': async (address) => get(await namedBy(address, 'image')),
  'as the new address of a feed': async (address) => get(await namedBy(address, 'newAddress')),
  'as a homepage': async (address) => get(await namedBy(address, 'homepage')),
  'as a hub': async (address) =>
    String(
      (await fetcher.fetch(await namedBy(address, 'hub'), { method: 'POST', body: 'hub.mode=subscribe' }))
        .body,
    ),
  'as a stream': async (address) => {
    using opened = await fetcher.open(address, new Deadline(15_000));
    return opened.socket.remoteAddress ?? '';
  },
  'by tuning in': heardAt,
  'as the redirect of a stream': (address) => heardAt(outside('/redirect', address)),
  'as an address of a playlist': (address) => heardAt(outside('/list.m3u', address)),
  'as an address of an ASX': (address) => heardAt(outside('/list.asx', address)),
  'as a segment': (address) => heardAt(outside('/segments.m3u8', address)),
  'as what segments begin with': async (address) => {
    const heard = await heardAt(outside('/map.m3u8', address));
    // The segment itself is outside, and is heard without its beginning.
    if (SOUND.toString().startsWith(heard)) throw new Dropped();
    return heard.slice(0, SECRET.length);
  },
  'as a quality': (address) => heardAt(outside('/qualities.m3u8', address)),
};

const hostile = hostileUrls(PORT);

const report: SsrfReport = { tries: 0, outcomes: {}, odd: [], heard: {}, good: {}, heardUnguarded: [] };

for (const [name, way] of Object.entries(WAYS)) {
  const sums: Record<string, number> = (report.outcomes[name] = {});
  for (const address of hostile) {
    const word = await way(address).catch((error: unknown) =>
      error instanceof Error ? error : new Error(String(error)),
    );
    const outcome = typeof word === 'string' ? 'through' : word.name;
    sums[outcome] = (sums[outcome] ?? 0) + 1;
    report.tries += 1;
    if (outcome !== 'UnsafeAddress' && outcome !== 'Dropped')
      report.odd.push(`${name} ${address}: ${String(word)}`);
  }
}
report.heard = Object.fromEntries(canary.heard);

for (const [name, way] of Object.entries(WAYS)) {
  const good = `http://radio.example.net:${PORT}/`;
  // A quality is a playlist itself.
  report.good[name] = await way(name === 'as a quality' ? outside('/segments.m3u8', good) : good);
}

/** What a program does that trusts addresses. */
for (const ip of HOSTILE_IPS) {
  const before = new Map(canary.heard);
  const socket = connect({ host: ip, port: PORT, family: isIP(ip) });
  await once(socket, 'connect', { signal: AbortSignal.timeout(500) }).catch(() => undefined);
  // The canary hears of a connection a moment after it is there.
  await new Promise((done) => setTimeout(done, 5));
  socket.on('error', () => undefined).destroy();
  if ([...canary.heard].some(([at, count]) => before.get(at) !== count)) report.heardUnguarded.push(ip);
}

process.stdout.write(JSON.stringify(report));
