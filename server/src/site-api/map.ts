import { hash } from 'node:crypto';
import type { Snapshot } from '../directory/snapshot.ts';
import type { SiteAnswer, SiteCall } from '../http/site-endpoint.ts';
import { mapColumns } from './map-columns.ts';
import type { Desk } from './needs.ts';

const MAX_AGE_SECONDS = 300;

/** Both answers of one state of the directory, made when the first page asks and kept as long as that state is shown. */
interface PackedMap {
  points: SiteAnswer;
  names: SiteAnswer;
}

const packed = new WeakMap<Snapshot, Promise<PackedMap>>();

/** Where the stations are. */
export const showMap = async (_call: SiteCall, { directory }: Desk): Promise<SiteAnswer> =>
  (await mapOf(directory.current())).points;

/** What they are called; apart, since the points can be drawn before the names come. */
export const showMapNames = async (_call: SiteCall, { directory }: Desk): Promise<SiteAnswer> =>
  (await mapOf(directory.current())).names;

function mapOf(snapshot: Snapshot): Promise<PackedMap> {
  let map = packed.get(snapshot);
  if (!map) packed.set(snapshot, (map = pack(snapshot)));
  return map;
}

async function pack(snapshot: Snapshot): Promise<PackedMap> {
  const { version } = snapshot;
  const { points, names } = await mapColumns(snapshot);
  return { points: answerOf({ version, points }), names: answerOf({ version, names }) };
}

function answerOf(json: object): SiteAnswer {
  const bytes = Buffer.from(JSON.stringify(json));
  return {
    file: { bytes, contentType: 'application/json; charset=utf-8' },
    etag: `"${hash('sha256', bytes, 'base64url').slice(0, 22)}"`,
    maxAgeSeconds: MAX_AGE_SECONDS,
    isForAll: true,
  };
}
