import { getStation, type StationSources } from '../../core/now-playing/find-station.ts';
import type { StationKeyGuard } from '../../core/now-playing/station-key-guard.ts';
import { Fault } from '../../lib/fault.ts';
import {
  parseRelayPermission,
  RELAY_PERMISSIONS,
  type RelayPermission,
} from '../../storage/catalog/streams/relayed-stream.ts';
import {
  basicPassword,
  bodyText,
  type PlainAnswer,
  type PlainCall,
  type PlainEndpoint,
} from '../../net/http/endpoints/plain-endpoint.ts';
import { hoursOf, listListening, type ListeningRow } from '../../storage/catalog/streams/relay-listening.ts';
import type { Queryable } from '../../storage/db/pool.ts';

export interface RelayWishesDeps extends StationSources {
  keyGuard: Pick<StationKeyGuard, 'open'>;
  db: Queryable;
  /** Writes down what a station says, under the name of its key. */
  setRelay: (stationId: number, relay: RelayPermission | undefined, keyName: string) => Promise<void>;
}

const MAX_BYTES = 1024;

/**
 * By its key a station says whether it is relayed (POST `relay=never|each|shared`, or nothing to take that back), and reads what was
 * heard of it (GET).
 */
export const relayWishes = (deps: RelayWishesDeps): PlainEndpoint => ({
  path: '/air/relay/:id',
  answer: (call) => receive(deps, call),
});

async function receive(deps: RelayWishesDeps, call: PlainCall): Promise<PlainAnswer> {
  const key = basicPassword(call);
  const { id: stationId } = await getStation(deps, call.path['id'] ?? '');
  const { name } = await deps.keyGuard.open({ stationId, key, address: call.address });
  if (call.method !== 'POST')
    return { status: 200, text: writeListening(await listListening(deps.db, stationId)) };
  const relay = parseWish(await bodyText(call, MAX_BYTES));
  await deps.setRelay(stationId, relay, name);
  return { status: 200, text: `relay=${relay ?? ''}\n` };
}

/** For a spreadsheet. */
const writeListening = (rows: readonly ListeningRow[]): string =>
  [
    'day,country,sessions,hours',
    ...rows.map((row) => `${row.day},${row.country},${row.sessions},${hoursOf(row)}`),
    '',
  ].join('\n');

const WISHES = `relay=${RELAY_PERMISSIONS.join(', relay=')}, or relay= to leave it to the directory`;

function parseWish(text: string): RelayPermission | undefined {
  const said = new URLSearchParams(text.trim()).get('relay')?.trim().toLowerCase();
  const relay = parseRelayPermission(said ?? null);
  if (said === '' || relay !== undefined) return relay;
  throw new Fault(400, undefined, `The body must be ${WISHES}`);
}
