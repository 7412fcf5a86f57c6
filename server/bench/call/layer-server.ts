/**
 * The service as it stands, without the layers above the one that is named: the parts are those of `longwave serve`, and what
 * is left out is left out by its own options. `node layer-server.ts LAYER FILE`, the bytes of an answer in the file.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { createServer } from '../../src/app/server.ts';
import { DeviceDiary } from '../../src/core/accounts/devices/device-diary.ts';
import { MemberKeys } from '../../src/core/accounts/keys.ts';
import { listPartners } from '../../src/core/accounts/partners/partners.ts';
import { Radios } from '../../src/core/devices/radios.ts';
import { Aliases } from '../../src/core/directory/lookup/by-any-id.ts';
import { buildSnapshot } from '../../src/core/directory/snapshot/build-snapshot.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { createLog } from '../../src/lib/log.ts';
import { listen } from '../../src/net/http/listen/listen.ts';
import { Metrics } from '../../src/net/http/metrics.ts';
import { rateLimit } from '../../src/net/http/caller/rate-limit.ts';
import { Readiness } from '../../src/net/http/readiness.ts';
import { respond } from '../../src/net/http/respond.ts';
import type { Protocol } from '../../src/net/http/server.ts';
import { browseEndpoints } from '../../src/protocols/radiotime/browse/browse.ts';
import { noteCalls } from '../../src/protocols/radiotime/call/note-call.ts';
import type { RadiotimeOptions } from '../../src/protocols/radiotime/call/radiotime.ts';
import { SavedItems } from '../../src/protocols/radiotime/call/saved-items.ts';
import { createPool } from '../../src/storage/db/pool.ts';

/** In the order in which one is above the other. */
const LAYERS = ['sockets', 'limits', 'noted', 'named', 'anew'] as const;
type Layer = (typeof LAYERS)[number];

const { positionals } = parseArgs({ allowPositionals: true });
const layer = LAYERS.find((each) => each === positionals[0]);
const [, file = ''] = positionals;
if (!layer) throw new Error(`name a layer: ${LAYERS.join(', ')}`);
const has = (other: Layer): boolean => LAYERS.indexOf(other) <= LAYERS.indexOf(layer);

const [log, metrics, readiness] = [createLog({ level: 'warn' }), new Metrics(), new Readiness()];

/** Nothing of a call is looked at but its path. */
const sameBytes: Protocol = ({ direct }) => {
  const reply = {
    status: 200,
    contentType: 'text/xml; charset=utf-8',
    body: readFileSync(file),
    lifetime: {},
  };
  direct.set('/Browse.ashx', (request, response) => respond(request, response, reply));
};

async function menus(): Promise<RadiotimeOptions> {
  const pool = createPool({
    databaseUrl: process.env['DATABASE_URL'] ?? '',
    size: 4,
    applicationName: 'bench',
  });
  const snapshot = await buildSnapshot(pool);
  const partners = new Map((await listPartners(pool)).map((row) => [row.id, row]));
  const saved = new SavedItems(pool, undefined);
  const sources = { directory: { current: () => snapshot }, db: pool, aliases: new Aliases(pool) };
  const keys = new MemberKeys('for a bench only, and kept nowhere');
  const ledgers = { radios: new Radios(pool, log, 1), diary: new DeviceDiary(pool, log, keys) };
  return {
    endpoints: browseEndpoints(sources).map((endpoint) => saved.marks(endpoint)),
    findPartner: (id) => partners.get(id),
    noteCall: has('noted') ? noteCalls(ledgers) : undefined,
    // Who tells an edge about its callers answers nothing by the address alone.
    tellEdge: has('named') ? () => undefined : undefined,
    menuCacheBytes: has('anew') ? 0 : undefined,
  };
}

const application = createServer({
  ...(has('limits') ? await menus() : { endpoints: [], protocols: [sameBytes] }),
  log,
  metrics,
  readiness,
  maxInFlight: 1000,
  publicHosts: [],
  trustedProxies: [],
  rateLimit: rateLimit({ clock: systemClock, metrics, callsPerAddress: 1_000_000 }),
});
const { httpPort } = await listen(application, {
  host: '127.0.0.1',
  httpPort: 0,
  privateHost: '127.0.0.1',
  privatePort: 0,
  maxConnections: 1000,
  log,
  metrics,
  readiness,
});
readiness.warmed();
console.log(JSON.stringify({ port: httpPort }));
process.on('SIGTERM', () => process.exit(0));
