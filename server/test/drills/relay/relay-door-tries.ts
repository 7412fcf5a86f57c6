/** Tries to get inside by way of a relay, in an internet of its own, by every way and every address; writes what came of it as JSON. */
import { SafeFetcher } from '../../../src/net/fetch/fetch-safely.ts';
import { lookUpBy, publicInternet } from '../../../src/net/fetch/policy.ts';
import { HlsSource } from '../../../src/workers/relay/upstream/hls-source.ts';
import { OUTSIDE, PORT, startCanary } from '../../internet/canary-host.ts';
import { HOSTILE_IPS, hostileUrls } from '../../internet/hostile-addresses.ts';
import { startNameServer } from '../../servers/name-server.ts';
import { openTestRelay } from '../../relay/test-relay.ts';

export interface RelayDoorReport {
  hostile: number;
  /** By way: how often each outcome was. */
  outcomes: Record<string, Record<string, number>>;
  /** Connections at each address. */
  heard: Record<string, number>;
  /** By way: what the same gives where the address is a good one, and how many connections outside it takes. */
  good: Record<string, { outcome: string; connections: number }>;
}

await using canary = await startCanary();
/** `is7.…` has the hostile address 7, `mixed7.…` a good one beside it, everything else is outside. */
await using names = await startNameServer((name) => {
  const [, kind, index] = /^(is|mixed)(\d+)\./.exec(name) ?? [];
  const ip = HOSTILE_IPS[Number(index)];
  if (ip === undefined) return [OUTSIDE];
  return kind === 'is' ? [ip] : [OUTSIDE, ip];
});
const policy = { ...publicInternet, resolve: lookUpBy([names.server]) };
await using relay = await openTestRelay({ policy });
const fetcher = new SafeFetcher({ policy, limits: { host: 100, network: 100, all: 100, lookups: 100 } });

const outside = (path: string, to: string): string =>
  `http://radio.example.net:${PORT}${path}?to=${encodeURIComponent(to)}`;

/** As a stream of the directory: what a radio is answered. */
async function relayed(address: string): Promise<string> {
  using radio = relay.radio(relay.list(address));
  const sound = Promise.withResolvers<void>();
  radio.socket.once('data', () => sound.resolve());
  await Promise.race([radio.ended, sound.promise]);
  return /^HTTP\/1\.0 (\d+)/.exec(radio.head)?.[1] ?? 'nothing';
}

/** As HLS that a relay has begun to follow: whether anything of it was heard. */
async function followed(address: string): Promise<string> {
  const ending = new AbortController();
  let outcome = 'refused';
  const end = (is: string): void => {
    outcome = is;
    ending.abort();
  };
  const sound = {
    body: () => end('heard'),
    missed: () => end('missed'),
    begins: () => undefined,
    title: () => undefined,
  };
  await new HlsSource({ fetcher, address, headers: {}, signal: ending.signal }, sound)
    .run()
    .catch(() => undefined);
  return outcome;
}

const WAYS: Record<string, (address: string) => Promise<string>> = {
  'as a stream': relayed,
  'as a redirect': (address) => relayed(outside('/redirect', address)),
  'in an M3U': (address) => relayed(outside('/list.m3u', address)),
  'in a PLS': (address) => relayed(outside('/list.pls', address)),
  'as a quality': (address) => relayed(outside('/qualities.m3u8', address)),
  'as a segment': (address) => relayed(outside('/segments.m3u8', address)),
  'as a map': (address) => relayed(outside('/map.m3u8', address)),
  'as a segment later': (address) => followed(outside('/segments.m3u8', address)),
  'as a map later': (address) => followed(outside('/map.m3u8', address)),
  'as a key': (address) => followed(outside('/key.m3u8', address)),
  'as the redirect of a key': (address) => followed(outside('/key.m3u8', outside('/redirect', address))),
};

const hostile = hostileUrls(PORT);
const report: RelayDoorReport = { hostile: hostile.length, outcomes: {}, heard: {}, good: {} };

const AT_ONCE = 8;
for (const [name, way] of Object.entries(WAYS)) {
  const sums: Record<string, number> = (report.outcomes[name] = {});
  const left = [...hostile];
  const tryOn = async (): Promise<void> => {
    for (let address = left.pop(); address !== undefined; address = left.pop()) {
      const outcome = await way(address);
      sums[outcome] = (sums[outcome] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, tryOn));
}
report.heard = Object.fromEntries(canary.heard);

for (const [name, way] of Object.entries(WAYS)) {
  const before = canary.heard.get(OUTSIDE) ?? 0;
  const good = `http://radio.example.net:${PORT}/sound`;
  const outcome = await way(name.startsWith('as a quality') ? outside('/segments.m3u8', good) : good);
  report.good[name] = { outcome, connections: (canary.heard.get(OUTSIDE) ?? 0) - before };
}
process.stdout.write(JSON.stringify(report));
process.exit(0);
