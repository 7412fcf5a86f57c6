/** The relay alone for the bench: streams by their numbers, no directory behind it. */
import { RelayKeys } from '../../src/core/streams/relay/relay-address.ts';
import { createLog } from '../../src/lib/log.ts';
import { SafeFetcher } from '../../src/net/fetch/fetch-safely.ts';
import { operatorsChoice } from '../../src/net/fetch/policy.ts';
import { Metrics } from '../../src/net/http/metrics.ts';
import { RelayMetrics } from '../../src/workers/relay/relay-metrics.ts';
import { RelayServer } from '../../src/workers/relay/relay-server.ts';
import { BENCH_KEY } from './address.ts';

const [, , address = '', connections = 'each'] = process.argv;
const MOST = 20_000;

const relay = new RelayServer({
  keys: new RelayKeys(BENCH_KEY),
  fetcher: new SafeFetcher({
    policy: operatorsChoice,
    limits: { host: MOST, network: MOST, all: MOST, lookups: MOST },
  }),
  findStream: async (id) => ({
    id,
    address,
    format: address.endsWith('.aac') ? 'aac' : 'mp3',
    bitrate: 128,
    verdict: null,
    station_id: 1,
    station_name: 'Bench',
    relay: null,
  }),
  isHome: () => true,
  isAllowed: async () => true,
  count: () => ({ [Symbol.dispose]: () => undefined }),
  trustedProxies: [],
  limits: { listeners: MOST, perAddress: MOST, perPartner: MOST, conversions: MOST },
  isShared: connections === 'shared',
  tickMs: 400,
  isReady: () => true,
  metrics: new RelayMetrics(new Metrics()),
  log: createLog({ level: 'error' }),
});
console.log(JSON.stringify({ port: await relay.listen(0, '127.0.0.1') }));
process.on('SIGTERM', () => process.exit(0));
