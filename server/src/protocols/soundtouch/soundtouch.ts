import { findProfile } from '../../core/devices/profiles.ts';
import type { Directory } from '../../core/directory/directory.ts';
import { type Aliases, findByOwnOrAlias } from '../../core/directory/lookup/by-any-id.ts';
import { findStation } from '../../core/directory/lookup/lookups.ts';
import type { DirectoryStation } from '../../core/directory/snapshot/snapshot.ts';
import { wordsForHeader } from '../../core/i18n/locale.ts';
import type { CallerPlaces } from '../../core/places/caller-places.ts';
import { Finder } from '../../core/search/finder.ts';
import { playerOf } from '../../core/streams/player.ts';
import type { OrderedStream } from '../../core/streams/relay/relayed.ts';
import type { StationStreams } from '../../core/streams/station-streams.ts';
import { Fault } from '../../lib/fault.ts';
import { guideId } from '../../lib/guide-id.ts';
import { parseFormats } from '../../lib/stream-format.ts';
import { type FileAnswer, type FileCall, fileEndpoint } from '../../net/http/endpoints/file-endpoint.ts';
import type { Protocol } from '../../net/http/server.ts';
import type { Queryable } from '../../storage/db/pool.ts';
import { lineOf, logoAddress, navigate, searchSections, SEARCH_LINK } from './navigate.ts';
import { Profiles } from './profiles.ts';

export interface SoundTouchDeps {
  directory: Pick<Directory, 'current'>;
  db: Queryable;
  aliases: Pick<Aliases, 'find'>;
  streams: StationStreams;
  places?: Pick<CallerPlaces, 'of'> | undefined;
}

const MAX_CONCURRENCY = 64;
const DEVICE = 'soundtouch';

/**
 * For Bose SoundTouch: the document that a preset of a speaker leads to (`/bmx/station/s123`), the service TUNEIN that replacements of
 * the speakers' cloud offer (`/bmx/tunein/`), and the JSON of TuneIn that those ask (`/profiles`).
 */
export function soundTouch(deps: SoundTouchDeps): Protocol[] {
  const finder = new Finder(deps.db);
  const profiles = new Profiles({ ...deps, finder });
  return [
    endpoint('/bmx/*', (call) => bmx({ ...deps, finder }, call)),
    endpoint('/profiles', (call) => profiles.search(call)),
    endpoint('/profiles/*', (call) => profiles.describe(call)),
  ];
}

const endpoint = (path: string, answer: (call: FileCall) => unknown): Protocol =>
  fileEndpoint({
    path,
    maxConcurrency: MAX_CONCURRENCY,
    answer: async (call) => jsonAnswer(await answer(call)),
  });

/** Without a byte order mark, by which speakers fail. */
const jsonAnswer = (value: unknown): FileAnswer => ({
  status: 200,
  contentType: 'application/json; charset=utf-8',
  body: Buffer.from(JSON.stringify(value)),
  lifetime: { noStore: true },
});

const STATION = /^(?:station|tunein\/v1\/playback\/station)\/([\w:.-]{1,100})$/;
const FOLDER = /^tunein\/v1\/navigate(?:\/([\w=-]{1,100}))?$/;

async function bmx(deps: SoundTouchDeps & { finder: Finder }, call: FileCall): Promise<unknown> {
  const { file, query, peer, headers } = call;
  const path = file.replace(/\/$/, '');
  const [, id] = STATION.exec(path) ?? [];
  if (id !== undefined) return playback(deps, call, await getStation(deps, id));
  if (path === 'registry/v1/services') return registry(peer.origin);
  const asked = {
    origin: peer.origin,
    callerAddress: peer.listenerAddress,
    words: wordsForHeader(headers['accept-language']),
  };
  if (path === 'tunein/v1/search') return searchSections({ ...deps, ...asked }, query.get('q') ?? '');
  const folder = FOLDER.exec(path);
  if (folder) return navigate({ ...deps, ...asked }, folder[1]);
  throw new Fault(
    404,
    undefined,
    'There is no such document; a station is /bmx/station/s123 (docs/soundtouch.md)',
  );
}

/** By our id, or by the one that TuneIn gave it, which old presets hold. */
async function getStation({ directory, aliases }: SoundTouchDeps, id: string): Promise<DirectoryStation> {
  const snapshot = directory.current();
  const found = await findByOwnOrAlias(id.toLowerCase(), aliases, ({ letter, number }) =>
    letter === 's' ? findStation(snapshot, number) : undefined,
  );
  if (!found) throw new Fault(404, undefined, 'There is no such station here: give s and its number');
  return found;
}

/** What a speaker plays. The first address is what it tries first; it knows no HLS, and few are sure to know TLS. */
function playback(deps: SoundTouchDeps, call: FileCall, station: DirectoryStation): unknown {
  const { peer, headers, now } = call;
  const profile = findProfile(DEVICE);
  if (!profile) throw new Error(`there is no profile ${DEVICE}`);
  const isSecure = false;
  const player = playerOf(profile, { formats: parseFormats(''), isSecure, directOnly: false });
  const { playable } = deps.streams.listFor(station, player, {
    address: peer.address,
    userAgent: headers['user-agent'],
    origin: peer.origin,
    isSecure,
    nowMs: now.epochMilliseconds,
  });
  const streams = playable.slice(0, MAX_STREAMS).map((stream) => ({
    ...PATIENCE,
    hasPlaylist: isPlaylist(stream),
    isRealtime: true,
    streamUrl: stream.target,
  }));
  const [first] = streams;
  if (!first)
    throw new Fault(
      404,
      undefined,
      `${station.name} has no stream that a SoundTouch plays; longwave why ${guideId('s', station.id)} --device ${DEVICE} says why`,
    );
  const id = guideId('s', station.id);
  return {
    _links: {
      bmx_nowplaying: { href: `/v1/now-playing/station/${id}`, useInternalClient: 'ALWAYS' },
      bmx_reporting: { href: `/v1/report?guide_id=${id}&stream_type=liveRadio` },
    },
    name: lineOf(station.name),
    imageUrl: logoAddress(peer.origin, id),
    isFavorite: false,
    streamType: 'liveRadio',
    audio: {
      hasPlaylist: first.hasPlaylist,
      isRealtime: true,
      maxTimeout: 60,
      streamUrl: first.streamUrl,
      streams,
    },
  };
}

const MAX_STREAMS = 10;
/** Seconds. */
const PATIENCE = { bufferingTimeout: 20, connectingTimeout: 10 };

/** Whether the address is that of a list, which only a known target spares the speaker. */
const isPlaylist = ({ stream, relayedFor }: OrderedStream): boolean =>
  relayedFor === undefined && stream.playlist !== undefined && stream.resolvedAddress === undefined;

/** Which services there are. The numbers are those that speakers have built in. */
const registry = (origin: string): unknown => ({
  _links: { bmx_services_availability: { href: '../servicesAvailability' } },
  askAgainAfter: 86_400,
  bmx_services: [
    {
      _links: { bmx_navigate: { href: '/v1/navigate' }, bmx_search: SEARCH_LINK, self: { href: '/' } },
      askAdapter: false,
      assets: { name: 'Longwave', description: 'Longwave' },
      authenticationModel: { anonymousAccount: { autoCreate: true, enabled: true } },
      baseUrl: `${origin}/bmx/tunein`,
      id: { name: 'TUNEIN', value: 25 },
      streamTypes: ['liveRadio'],
    },
  ],
});
