import { wordsForHeader } from '../../core/i18n/locale.ts';
import type { Words } from '../../core/i18n/words.ts';
import type { AppLogin } from '../../core/accounts/app-passwords/app-logins.ts';
import { playPath } from '../../core/streams/play-path.ts';
import { guideId, numberOf, parseGuideId } from '../../lib/guide-id.ts';
import type { BodyCall } from '../../net/http/endpoints/body-endpoint.ts';
import {
  albumNode,
  artistIndex,
  type SubsonicSources,
  folderAlbum,
  MAX_LISTED,
  openAlbum,
  openMusicDirectory,
  openSong,
  searchSongs,
  starredOf,
  topFolders,
} from './browse.ts';
import { albumOf, type Owner, subscribe, unsubscribe } from './podcasts.ts';
import {
  findOwnAddress,
  itemsOnce,
  noSuchItem,
  removeItem,
  saveAddress,
  savedFolders,
  saveItem,
  stationNodes,
  updateAddress,
} from './radio.ts';
import { countOf, type SubsonicRequest, paramOf } from './read-request.ts';
import { CODES, SubsonicError } from './sign-in.ts';
import { episodeNode, songsOf } from './songs.ts';
import type { ResponseNode } from './write-response.ts';
import { findStation } from '../../core/directory/lookup/lookups.ts';

export interface MethodCall {
  request: SubsonicRequest;
  call: BodyCall;
  login: AppLogin;
  owner: Owner;
  deps: SubsonicSources;
  words: Words;
}

export const methodCall = (given: Omit<MethodCall, 'words'>): MethodCall => ({
  ...given,
  words: wordsForHeader(given.call.headers['accept-language']),
});

/** Where the bytes are. */
interface Redirect {
  location: string;
}
type Method = (call: MethodCall) => Promise<ResponseNode | Redirect>;

export const isRedirect = (answer: ResponseNode | Redirect): answer is Redirect =>
  typeof answer['location'] === 'string';

function required(request: SubsonicRequest, name: string): string {
  const text = paramOf(request, name);
  if (text === undefined) throw new SubsonicError(CODES.missing, `Required parameter '${name}' is missing`);
  return text;
}

/** For apps that insist on asking. */
const constant =
  (node: ResponseNode): Method =>
  async () =>
    node;
const nothing = constant({});

const ROLES = {
  scrobblingEnabled: false,
  adminRole: false,
  settingsRole: false,
  downloadRole: true,
  uploadRole: false,
  playlistRole: false,
  coverArtRole: false,
  commentRole: false,
  podcastRole: true,
  streamRole: true,
  jukeboxRole: false,
  shareRole: false,
  videoConversionRole: false,
};

const starred =
  (name: string): Method =>
  async ({ owner, deps }) => ({ [name]: starredOf(await savedFolders(owner, deps)) });

const search =
  (name: string): Method =>
  async ({ request, call, deps, words }) => {
    const text = (paramOf(request, 'query') ?? '').replaceAll('"', '').trim();
    const asker = { words, callerAddress: call.peer.listenerAddress };
    const found = await searchSongs(deps, text, asker, {
      songs: {
        count: countOf(request, 'songCount', 20, MAX_LISTED),
        offset: countOf(request, 'songOffset', 0, 1000),
      },
      albums: {
        count: countOf(request, 'albumCount', 20, 50),
        offset: countOf(request, 'albumOffset', 0, 50),
      },
    });
    return { [name]: found };
  };

/** Folders of presets, then the folders of the directory. */
const albumList =
  (name: string): Method =>
  async ({ request, owner, deps, words }) => {
    const saved = await savedFolders(owner, deps);
    const own = saved
      .filter(({ items }) => items.length > 0)
      .map(({ id, name: title, items }) => albumNode(id, title, songsOf(items, { id, name: title }).length));
    const isOwn = paramOf(request, 'type') === 'starred';
    const genres = isOwn ? [] : topFolders(deps, words).filter(({ id }) => id.startsWith('g'));
    const offset = countOf(request, 'offset', 0, 100_000);
    const size = countOf(request, 'size', 10, MAX_LISTED);
    return {
      [name]: { album: [...own, ...genres.map((genre) => folderAlbum(genre))].slice(offset, offset + size) },
    };
  };

const stream: Method = async ({ request, call, owner, deps }) => {
  const id = required(request, 'id');
  const { origin } = call.peer;
  const station = findStation(deps.directory.current(), numberOf('s', id) ?? Number.NaN);
  if (station) return { location: origin + playPath(station.id) };
  const address = (await findOwnAddress(owner, id)) ?? (await deps.channels.findEpisode(id))?.topic.address;
  if (address === undefined) throw noSuchItem(id);
  return { location: address };
};

/** The letters of sizes, by their pixels. */
const SIZES = [
  [75, 't'],
  [145, 'q'],
  [300, 'd'],
] as const;

const coverArt: Method = async ({ request, call }) => {
  const id = required(request, 'id').toLowerCase();
  if (!parseGuideId(id)) throw noSuchItem(id);
  const wanted = countOf(request, 'size', 300, 10_000);
  const [, letter] = SIZES.find(([pixels]) => pixels >= wanted) ?? [0, 'g'];
  return { location: `${call.peer.origin}/logos/${id}${letter}.png` };
};

const change =
  (work: (call: MethodCall) => Promise<unknown>): Method =>
  async (call) => {
    await work(call);
    return {};
  };
const everyId = ({ params }: SubsonicRequest): string[] =>
  ['id', 'albumId'].flatMap((name) => params.getAll(name)).slice(0, 50);

/** By name in lower case. */
export const METHODS: ReadonlyMap<string, Method> = new Map<string, Method>([
  ['ping', nothing],
  ['getlicense', constant({ license: { valid: true } })],
  ['getuser', async ({ login }) => ({ user: { username: login.username, ...ROLES, folder: [1] } })],
  [
    'getscanstatus',
    async ({ deps }) => ({
      scanStatus: { scanning: false, count: deps.directory.current().stations.length },
    }),
  ],
  ['tokeninfo', async ({ login }) => ({ tokenInfo: { username: login.username } })],
  [
    'getinternetradiostations',
    async ({ call, owner, deps }) => ({
      internetRadioStations: {
        internetRadioStation: itemsOnce(await savedFolders(owner, deps)).flatMap((item) =>
          stationNodes(item, call.peer.origin),
        ),
      },
    }),
  ],
  [
    'createinternetradiostation',
    change(({ request, owner, deps }) =>
      saveAddress(owner, deps, { address: required(request, 'streamUrl'), name: required(request, 'name') }),
    ),
  ],
  [
    'updateinternetradiostation',
    change(async ({ request, owner, deps }) => {
      const id = required(request, 'id');
      const wanted = { address: required(request, 'streamUrl'), name: required(request, 'name') };
      if (numberOf('u', id) === undefined)
        throw new SubsonicError(
          CODES.notAllowed,
          'A station of the directory cannot be changed; delete it and add an address',
        );
      await updateAddress(owner, deps, id, wanted);
    }),
  ],
  ['deleteinternetradiostation', change(({ request, owner }) => removeItem(owner, required(request, 'id')))],
  [
    'getpodcasts',
    async ({ request, call, owner, deps }) => ({
      podcasts: {
        channel: await deps.channels.list(owner, {
          id: paramOf(request, 'id'),
          hasEpisodes: paramOf(request, 'includeEpisodes') !== 'false',
          origin: call.peer.origin,
        }),
      },
    }),
  ],
  [
    'getnewestpodcasts',
    async ({ request, owner, deps }) => ({
      newestPodcasts: {
        episode: await deps.channels.newest(owner, countOf(request, 'count', 20, MAX_LISTED)),
      },
    }),
  ],
  [
    'getpodcastepisode',
    async ({ request, deps }) => {
      const id = required(request, 'id');
      const found = await deps.channels.findEpisode(id);
      if (!found) throw noSuchItem(id);
      return { podcastEpisode: episodeNode(found.topic, albumOf(found.show)) };
    },
  ],
  ['createpodcastchannel', change(({ request, owner }) => subscribe(owner, required(request, 'url')))],
  ['deletepodcastchannel', change(({ request, owner }) => unsubscribe(owner, required(request, 'id')))],
  ['refreshpodcasts', nothing],
  ['downloadpodcastepisode', nothing],
  ['stream', stream],
  ['download', stream],
  ['getcoverart', coverArt],
  ['getmusicfolders', constant({ musicFolders: { musicFolder: [{ id: 1, name: 'Radio' }] } })],
  [
    'getindexes',
    async ({ deps, words }) => ({
      indexes: {
        lastModified: deps.directory.current().changedAt?.epochMilliseconds ?? 0,
        ignoredArticles: '',
        index: artistIndex(topFolders(deps, words)),
      },
    }),
  ],
  [
    'getartists',
    async ({ deps, words }) => ({
      artists: { ignoredArticles: '', index: artistIndex(topFolders(deps, words)) },
    }),
  ],
  [
    'getartist',
    async ({ request, deps, words }) => {
      const id = required(request, 'id');
      const { album, folders } = openMusicDirectory(deps, id, words);
      const all = folders.map((folder) => folderAlbum(folder, id));
      const own = id.startsWith('g') ? [albumNode(id, album.name, 1)] : [];
      return {
        artist: { id, name: album.name, albumCount: own.length + all.length, album: [...own, ...all] },
      };
    },
  ],
  [
    'getmusicdirectory',
    async ({ request, owner, deps, words }) => {
      const id = required(request, 'id') === '1' ? 'root' : required(request, 'id');
      if (/^[pf]\d/.test(id)) {
        const { node, songs } = await openAlbum(deps, id, await savedFolders(owner, deps), words);
        return { directory: { id, name: node['name'], child: songs } };
      }
      const { album, folders, songs, parentId } = openMusicDirectory(deps, id, words);
      const child = [...folders.map((folder) => folderAlbum(folder, id)), ...songs];
      return {
        directory: { id, name: album.name, ...(parentId !== undefined && { parent: parentId }), child },
      };
    },
  ],
  [
    'getalbum',
    async ({ request, owner, deps, words }) => {
      const { node, songs } = await openAlbum(
        deps,
        required(request, 'id'),
        await savedFolders(owner, deps),
        words,
      );
      return { album: { ...node, song: songs } };
    },
  ],
  ['getsong', async ({ request, deps }) => ({ song: await openSong(deps, required(request, 'id')) })],
  ['getalbumlist', albumList('albumList')],
  ['getalbumlist2', albumList('albumList2')],
  ['search2', search('searchResult2')],
  ['search3', search('searchResult3')],
  ['getstarred', starred('starred')],
  ['getstarred2', starred('starred2')],
  [
    'star',
    change(async ({ request, owner, deps }) => {
      for (const id of everyId(request)) await saveItem(owner, deps, id);
    }),
  ],
  [
    'unstar',
    change(async ({ request, owner }) => {
      for (const id of everyId(request)) await removeItem(owner, id);
    }),
  ],
  [
    'getplaylists',
    async ({ owner, deps, login }) => ({
      playlists: {
        playlist: (await savedFolders(owner, deps)).map((folder) => playlistNode(folder, login.username)),
      },
    }),
  ],
  [
    'getplaylist',
    async ({ request, owner, deps, login }) => {
      const id = required(request, 'id');
      const folder = (await savedFolders(owner, deps)).find((each) => each.id === id);
      if (!folder) throw noSuchItem(id);
      return { playlist: { ...playlistNode(folder, login.username), entry: songsOf(folder.items, folder) } };
    },
  ],
  [
    'getgenres',
    async ({ deps, words }) => ({
      genres: {
        genre: topFolders(deps, words)
          .filter(({ id }) => id.startsWith('g'))
          .map(({ title, count }) => ({ songCount: count, albumCount: 1, value: title })),
      },
    }),
  ],
  [
    'getsongsbygenre',
    async ({ request, deps, words }) => {
      const wanted = required(request, 'genre').toLowerCase();
      const { genreById } = deps.directory.current();
      const genre = [...genreById.values()].find(({ slug, name }) =>
        [slug, name, words.genreName(slug, name)].some((text) => text.toLowerCase() === wanted),
      );
      if (!genre) return { songsByGenre: {} };
      const { songs } = await openAlbum(deps, guideId('g', genre.id), [], words);
      const offset = countOf(request, 'offset', 0, MAX_LISTED);
      return {
        songsByGenre: { song: songs.slice(offset, offset + countOf(request, 'count', 10, MAX_LISTED)) },
      };
    },
  ],
  ['scrobble', nothing],
  ['saveplayqueue', nothing],
  ['getplayqueue', nothing],
  ['setrating', nothing],
  ['getrandomsongs', constant({ randomSongs: {} })],
  ['gettopsongs', constant({ topSongs: {} })],
  ['getsimilarsongs', constant({ similarSongs: {} })],
  ['getsimilarsongs2', constant({ similarSongs2: {} })],
  ['getnowplaying', constant({ nowPlaying: {} })],
  ['getlyrics', constant({ lyrics: {} })],
  ['getbookmarks', constant({ bookmarks: {} })],
  ['getshares', constant({ shares: {} })],
  ['getvideos', constant({ videos: {} })],
  ['getartistinfo', constant({ artistInfo: {} })],
  ['getartistinfo2', constant({ artistInfo2: {} })],
  ['getalbuminfo', constant({ albumInfo: {} })],
  ['getalbuminfo2', constant({ albumInfo: {} })],
]);

type Saved = Awaited<ReturnType<typeof savedFolders>>[number];
const playlistNode = (folder: Saved, owner: string): ResponseNode => ({
  id: folder.id,
  name: folder.name,
  owner,
  public: false,
  songCount: songsOf(folder.items, folder).length,
  duration: 0,
  created: '2026-01-01T00:00:00.000Z',
  changed: '2026-01-01T00:00:00.000Z',
});
