import { findStation } from '../../core/directory/lookup/lookups.ts';
import { type FolderItem, openFolder, openStations, ROOT_ID } from '../../core/folders/folder.ts';
import { searchFolder } from '../../core/folders/found-items.ts';
import type { SavedFolder } from '../../core/folders/saved-items.ts';
import type { Words } from '../../core/i18n/words.ts';
import type { Aliases } from '../../core/directory/lookup/by-any-id.ts';
import { numberOf } from '../../lib/guide-id.ts';
import { albumOf, type Channels } from './podcasts.ts';
import { itemsOnce, noSuchItem, type RadioDeps, stationAlbum } from './radio.ts';
import { songsOf, stationSong, topicSong } from './songs.ts';
import type { ResponseNode } from './write-response.ts';

/** Of one list; apps ask for 500 at most. */
export const MAX_LISTED = 500;

export interface SubsonicSources extends RadioDeps {
  aliases: Pick<Aliases, 'find'>;
  channels: Channels;
}

type FolderEntry = Extract<FolderItem, { kind: 'folder' }>;
const isFolder = (item: FolderItem): item is FolderEntry => item.kind === 'folder';

/** Genres, the places of the world and languages: apps show them as artists. */
export function topFolders({ directory }: SubsonicSources, words: Words): FolderEntry[] {
  const root = openFolder(directory.current(), ROOT_ID, { offset: 0, limit: MAX_LISTED, words });
  return (root?.items ?? []).filter(isFolder);
}

/** As apps want them: under the letters they begin with. */
export function artistIndex(folders: readonly FolderEntry[]): ResponseNode[] {
  const byLetter = Map.groupBy(folders, ({ title }) => title.at(0)?.toLocaleUpperCase() ?? '#');
  return [...byLetter].map(([name, entries]) => ({
    name,
    artist: entries.map(({ id, title, count }) => ({ id, name: title, albumCount: count > 0 ? 1 : 0 })),
  }));
}

export const folderAlbum = ({ id, title, count }: FolderEntry, parent?: string): ResponseNode => ({
  ...albumNode(id, title, count),
  ...(parent !== undefined && { parent, artistId: parent }),
});

export const albumNode = (id: string, name: string, songCount: number): ResponseNode => ({
  id,
  isDir: true,
  name,
  title: name,
  album: name,
  artist: '',
  songCount,
  duration: 0,
  coverArt: id,
  created: '2026-01-01T00:00:00.000Z',
});

/** What is in a folder: smaller ones, then stations. */
export function openMusicDirectory({ directory }: SubsonicSources, id: string, words: Words) {
  const folder = openFolder(directory.current(), id, { offset: 0, limit: MAX_LISTED, words });
  if (!folder) throw noSuchItem(id);
  const album = { id, name: folder.title };
  return {
    album,
    folders: folder.items.filter(isFolder),
    songs: songsOf(folder.items, album),
    parentId: folder.parentId,
  };
}

/** An album's songs: the stations of a folder and all that is in it, of a folder of presets, or a show's episodes. */
export async function openAlbum(
  { directory, channels }: SubsonicSources,
  id: string,
  saved: readonly SavedFolder[],
  words: Words,
): Promise<{ node: ResponseNode; songs: ResponseNode[] }> {
  const own = saved.find((folder) => folder.id === id);
  if (own) {
    const songs = songsOf(own.items, { id, name: own.name });
    return { node: albumNode(id, own.name, songs.length), songs };
  }
  const show = await channels.findListedShow(id);
  if (show) {
    const album = albumOf(show);
    const songs = (await channels.topicsOf(show.id)).map((topic) => topicSong(topic, album));
    return { node: albumNode(id, show.title, songs.length), songs };
  }
  const folder = openStations(directory.current(), id, { offset: 0, limit: MAX_LISTED, words });
  if (!folder) throw noSuchItem(id);
  const songs = songsOf(folder.items, { id, name: folder.title });
  return { node: albumNode(id, folder.title, folder.total), songs };
}

/** A station or an episode, as a song. */
export async function openSong({ directory, channels }: SubsonicSources, id: string): Promise<ResponseNode> {
  const station = findStation(directory.current(), numberOf('s', id) ?? Number.NaN);
  if (station) return stationSong(station, stationAlbum(station));
  const episode = await channels.findEpisode(id);
  if (!episode) throw noSuchItem(id);
  return topicSong(episode.topic, albumOf(episode.show));
}

export interface SearchWindow {
  songs: { count: number; offset: number };
  albums: { count: number; offset: number };
}

/** Stations are songs, shows are albums. Apps that ask for nothing want everything, which is too much: they get nothing. */
export async function searchSongs(
  { directory, ...deps }: SubsonicSources,
  text: string,
  { words, callerAddress }: { words: Words; callerAddress: string },
  { songs, albums }: SearchWindow,
): Promise<{ song: ResponseNode[]; album: ResponseNode[] }> {
  if (text === '') return { song: [], album: [] };
  const snapshot = directory.current();
  const { items } = await searchFolder({ ...deps, snapshot }, text, {
    offset: 0,
    limit: 1000,
    words,
    callerAddress,
  });
  const stations = items.filter((item) => item.kind === 'station');
  const shows = items.filter((item) => item.kind === 'show');
  return {
    song: stations
      .slice(songs.offset, songs.offset + songs.count)
      .map(({ station }) => stationSong(station, stationAlbum(station))),
    album: shows
      .slice(albums.offset, albums.offset + albums.count)
      .map(({ id, title }) => albumNode(id, title, 1)),
  };
}

/** Saved stations and shows. */
export function starredOf(saved: readonly SavedFolder[]): { song: ResponseNode[]; album: ResponseNode[] } {
  const items = itemsOnce(saved);
  return {
    song: items.flatMap((item) =>
      item.kind === 'station' ? [stationSong(item.station, stationAlbum(item.station))] : [],
    ),
    album: items.flatMap((item) => (item.kind === 'show' ? [albumNode(item.id, item.title, 1)] : [])),
  };
}
