import {
  type ChosenProfile,
  chooseProfile,
  profileIds,
  findProfile,
  profileOfUserAgent,
} from '../../core/devices/profiles.ts';
import type { Directory } from '../../core/directory/directory.ts';
import { type Aliases, findByOwnOrAlias } from '../../core/directory/lookup/by-any-id.ts';
import { findStation } from '../../core/directory/lookup/lookups.ts';
import type { DirectoryStation } from '../../core/directory/snapshot/snapshot.ts';
import { incompatible } from '../../core/streams/choose-streams.ts';
import { playerOf } from '../../core/streams/player.ts';
import type { StationStreams } from '../../core/streams/station-streams.ts';
import { cleanMarkupText } from '../../formats/opml/characters.ts';
import { playlistKind } from '../../formats/playlist/write-playlist.ts';
import { Fault } from '../../lib/fault.ts';
import { memoize } from '../../lib/memoize.ts';
import { parseFormats } from '../../lib/stream-format.ts';
import { type FileAnswer, type FileCall, fileEndpoint } from '../../net/http/endpoints/file-endpoint.ts';
import type { Protocol } from '../../net/http/server.ts';
import { mapSync } from '../../storage/cache/cached.ts';
import { ReadThrough } from '../../storage/cache/read-through.ts';
import { findStationRow } from '../../storage/catalog/stations/stations.ts';
import type { Queryable } from '../../storage/db/pool.ts';

export interface PlayDeps {
  directory: Pick<Directory, 'current'>;
  db: Queryable;
  aliases: Pick<Aliases, 'find'>;
  streams: StationStreams;
}

/** Most answers come from memory and do not wait. */
const MAX_CONCURRENCY = 200;

/** `/play/s123.mp3`: the address of a station that stays, whatever becomes of its streams. */
export const play = (deps: PlayDeps): Protocol => {
  const unlisted = new ReadThrough({
    load: async (id) => (await findStationRow(deps.db, Number(id)))?.name,
    most: 5000,
    freshMs: 60_000,
    staleMs: 3_600_000,
  });
  return fileEndpoint({
    path: '/play/*',
    maxConcurrency: MAX_CONCURRENCY,
    answer(call) {
      const { id, ending } = parseFile(call.file);
      const found = findByOwnOrAlias<DirectoryStation>(id, deps.aliases, ({ letter, number }) => {
        if (letter !== 's') return undefined;
        return findStation(deps.directory.current(), number) ?? refuseSilent(unlisted, number);
      });
      return mapSync(found, (station) => {
        if (!station) throw new Fault(404, undefined, `There is no station ${id}: give s and its number`);
        return answer(deps.streams, call, station, ending);
      });
    },
  });
};

const FILE = /^([\w:-]{1,100})(?:\.(\w{1,5}))?$/;
/** Those that are answered with a list of addresses; anything else is sent to the sound. */
const PLAYLISTS: readonly string[] = ['m3u', 'pls', 'xspf'];

function parseFile(file: string): { id: string; ending: string } {
  const [, id, ending = ''] = FILE.exec(file) ?? [];
  if (id === undefined)
    throw new Fault(404, undefined, 'Give the id of a station and an ending, such as /play/s123.mp3');
  return { id: id.toLowerCase(), ending: ending.toLowerCase() };
}

/** The catalogue may have a station of which nothing can be heard; that is another thing than an id nobody has. */
async function refuseSilent(unlisted: ReadThrough<string | undefined>, id: number): Promise<undefined> {
  const name = await unlisted.get(String(id));
  if (name !== undefined)
    throw new Fault(404, undefined, `There is nothing to hear of ${cleanMarkupText(name)} just now`);
}

function answer(
  streams: StationStreams,
  call: FileCall,
  station: DirectoryStation,
  ending: string,
): FileAnswer {
  const { peer, query, headers, now } = call;
  const device = deviceOf(call);
  const formats = parseFormats(query.get('formats') ?? '');
  const isSecure = peer.scheme === 'https';
  const player = playerOf(device.profile, { formats, isSecure, directOnly: false });
  const { playable, ranking } = streams.listFor(station, player, {
    address: peer.address,
    userAgent: headers['user-agent'],
    origin: peer.origin,
    isSecure,
    nowMs: now.epochMilliseconds,
  });
  const addresses = playable.map(({ target }) => target);
  const [first] = addresses;
  if (first === undefined)
    throw new Fault(406, undefined, incompatible(device, { formats, directOnly: false }, ranking));
  return PLAYLISTS.includes(ending)
    ? playlist(ending, station.name, addresses)
    : { ...REDIRECT, location: inHeader(first) };
}

/** A header has no other characters; where a stream leads need not be written as the standard has it. */
const inHeader = (address: string): string =>
  address.toWellFormed().replaceAll(/[^!-~]+/g, encodeURIComponent);

const LIFETIME = { noStore: true };
const REDIRECT = {
  status: 302,
  contentType: 'text/plain; charset=utf-8',
  body: Buffer.alloc(0),
  lifetime: LIFETIME,
} as const;

function playlist(ending: string, name: string, addresses: readonly string[]): FileAnswer {
  const { contentType, write } = playlistKind(ending);
  const title = cleanMarkupText(name);
  const lines = addresses.map((address) => ({ address, name: title, durationSeconds: undefined }));
  const body = Buffer.from(`${write(title, lines).join('\n')}\n`);
  return { status: 200, contentType, body, lifetime: LIFETIME };
}

const byUserAgent = memoize(profileOfUserAgent);
/** Longer ones come from fuzzers. */
const MAX_USER_AGENT_LENGTH = 400;

/** What asks: by its User-Agent, or as `device=` and `formats=` name it, which are those of Tune. */
function deviceOf({ query, headers }: FileCall): ChosenProfile {
  const device = query.get('device') ?? undefined;
  if (device !== undefined && !findProfile(device))
    throw new Fault(400, undefined, `There is no device ${device}; there are ${profileIds()}`);
  const userAgent = headers['user-agent'];
  return chooseProfile({
    device,
    byUserAgent: userAgent === undefined ? null : byUserAgent(userAgent.slice(0, MAX_USER_AGENT_LENGTH)),
    formats: query.get('formats') ?? undefined,
  });
}
