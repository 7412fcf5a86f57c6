import { LRUCache } from 'lru-cache';
import { chooseProfile, profileOfUserAgent } from '../../core/devices/profiles.ts';
import type { Directory } from '../../core/directory/directory.ts';
import { type Aliases, findByOwnOrAlias } from '../../core/directory/lookup/by-any-id.ts';
import { findStation } from '../../core/directory/lookup/lookups.ts';
import { type DirectoryStation, snapshotName } from '../../core/directory/snapshot/snapshot.ts';
import { type Folder, openFolder, ROOT_ID } from '../../core/folders/folder.ts';
import { searchFolder } from '../../core/folders/found-items.ts';
import { wordsForHeader } from '../../core/i18n/locale.ts';
import type { Words } from '../../core/i18n/words.ts';
import type { CallerPlaces } from '../../core/places/caller-places.ts';
import { Finder } from '../../core/search/finder.ts';
import { incompatible } from '../../core/streams/choose-streams.ts';
import { playerOf } from '../../core/streams/player.ts';
import type { StationStreams } from '../../core/streams/station-streams.ts';
import { Fault } from '../../lib/fault.ts';
import { parseFormats } from '../../lib/stream-format.ts';
import { type FileAnswer, type FileCall, fileEndpoint } from '../../net/http/endpoints/file-endpoint.ts';
import type { Protocol } from '../../net/http/server.ts';
import { mapSync } from '../../storage/cache/cached.ts';
import type { Queryable } from '../../storage/db/pool.ts';
import { guideIdOf } from './ids.ts';
import { directoryOf, indexOf, RADIOS, radioOf, redirectOf } from './objects.ts';

export interface AirableDeps {
  directory: Pick<Directory, 'current'>;
  db: Queryable;
  aliases: Pick<Aliases, 'find'>;
  streams: StationStreams;
  places?: Pick<CallerPlaces, 'of'> | undefined;
}

interface Deps extends AirableDeps {
  finder: Finder;
  /** Menus that nothing but the directory decides about. */
  kept: LRUCache<string, FileAnswer>;
}

const KEPT_BYTES = 8 * 2 ** 20;

const MAX_CONCURRENCY = 100;
/** Nobody knows how these radios ask for more of a menu, so a long one ends with a line that leads on. */
const PAGE = 100;

/** The menus of radios that were made for airable: JSON, at a name that their owner leads here. */
export function airable(needed: AirableDeps): Protocol {
  const kept = new LRUCache<string, FileAnswer>({
    maxSize: KEPT_BYTES,
    sizeCalculation: ({ body }) => body.length,
  });
  const deps = { ...needed, finder: new Finder(needed.db), kept };
  return fileEndpoint({
    path: '/frontiersmart/*',
    maxConcurrency: MAX_CONCURRENCY,
    rootOfHost: /^airable\./i,
    answer: (call) => answer(deps, call),
  });
}

function answer(deps: Deps, call: FileCall): FileAnswer | Promise<FileAnswer> {
  const { file, peer, headers } = call;
  const words = wordsForHeader(headers['accept-language']);
  if (file === '/') return json(indexOf(peer.origin, words));
  const [kind = '', id = '', ...rest] = file.toLowerCase().split('/');
  if (kind === 'radios' && rest.length <= 1) return menu(deps, call, id || ROOT_ID, rest[0] ?? '0', words);
  if (kind === 'feeds') return json(directoryOf(peer.origin, '/frontiersmart/feeds', noFeeds(words)));
  if (kind === 'radio') return radio(deps, call, { id, rest, words });
  throw new Fault(
    404,
    undefined,
    'There is no such page: ask for /frontiersmart/radios, or for /frontiersmart/radio/ with an id of 16 digits',
  );
}

/** Nothing public tells how shows and episodes are written there. */
const noFeeds = (words: Words): { folder: Folder; next: undefined; words: Words } => ({
  folder: {
    id: 'feeds',
    title: words.text('browse.podcasts'),
    parentId: undefined,
    total: 0,
    items: [],
  },
  next: undefined,
  words,
});

function menu(
  deps: Deps,
  { query, peer }: FileCall,
  id: string,
  from: string,
  words: Words,
): FileAnswer | Promise<FileAnswer> {
  const { origin } = peer;
  const offset = /^\d{1,6}$/.test(from) ? Number(from) : 0;
  const text = SEARCH_WORDS.map((name) => query.get(name)?.trim()).find(Boolean) ?? '';
  const suffix = id === 'search' ? `?q=${encodeURIComponent(text)}` : '';
  const show = (folder: Folder | undefined): FileAnswer => {
    if (!folder) throw new Fault(404, undefined, `There is no menu ${id}; the first is ${RADIOS}`);
    const end = offset + PAGE;
    const next = end < folder.total ? `${RADIOS}/${id}/${end}${suffix}` : undefined;
    return json(directoryOf(origin, `${RADIOS}/${id}${suffix}`, { folder, next, words }));
  };
  const request = { offset, limit: PAGE, words };
  const snapshot = deps.directory.current();
  if (id !== 'search') {
    const key = `${snapshotName(snapshot)} ${words.language} ${origin} ${id} ${offset}`;
    const made = deps.kept.get(key) ?? show(openFolder(snapshot, id, request));
    deps.kept.set(key, made);
    return made;
  }
  const asked = { ...request, callerAddress: peer.listenerAddress };
  return searchFolder({ ...deps, snapshot }, text, asked).then(show);
}

/** Which of them these radios send is not known for sure. */
const SEARCH_WORDS = ['q', 'query', 'search'];

function radio(
  deps: Deps,
  call: FileCall,
  { id, rest, words }: { id: string; rest: readonly string[]; words: Words },
): FileAnswer | Promise<FileAnswer> {
  const snapshot = deps.directory.current();
  const found = findByOwnOrAlias<DirectoryStation>(guideIdOf(id, 's'), deps.aliases, ({ letter, number }) =>
    letter === 's' ? findStation(snapshot, number) : undefined,
  );
  return mapSync(found, (station) => {
    if (!station)
      throw new Fault(404, undefined, `There is no radio ${id}, or nothing to hear of it just now`);
    const { peer, headers, now } = call;
    const device = chooseProfile({ byUserAgent: profileOfUserAgent(headers['user-agent'] ?? '') });
    const formats = acceptedFormats(headers.accept ?? '');
    const isSecure = peer.scheme === 'https';
    const player = playerOf(device.profile, { formats, isSecure, directOnly: true });
    const { playable, ranking } = deps.streams.listFor(station, player, {
      address: peer.address,
      userAgent: headers['user-agent'],
      origin: peer.origin,
      isSecure,
      nowMs: now.epochMilliseconds,
    });
    const object = radioOf(peer.origin, station, { snapshot, words, order: playable, asked: id });
    const [play, number = ''] = rest;
    if (play === undefined) return json(object);
    const stream = play === 'play' && /^\d{1,2}$/.test(number) ? playable[Number(number) - 1] : undefined;
    if (!stream)
      throw playable.length === 0
        ? new Fault(406, undefined, incompatible(device, { formats, directOnly: true }, ranking))
        : new Fault(404, undefined, `This radio has ${playable.length} streams: play/1 is the first`);
    return json(redirectOf(stream, Number(number), stream.target, object));
  });
}

/** `audio/aac;mp3;dash`. These radios play MP3 and AAC, whatever else they name: no HLS. */
function acceptedFormats(accept: string): number {
  const named = accept.toLowerCase().match(/mp3|aac/g) ?? [];
  return parseFormats(named.length === 0 ? 'mp3,aac' : named.join(','));
}

const json = (value: object): FileAnswer => ({
  status: 200,
  contentType: 'application/json',
  body: Buffer.from(JSON.stringify(value)),
  lifetime: { maxAgeSeconds: 60 },
});
