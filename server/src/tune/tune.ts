import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findStation, findStationOfStream } from '../directory/by-id.ts';
import type { Directory } from '../directory/directory.ts';
import type { DirectoryStation, DirectoryStream, Snapshot } from '../directory/snapshot.ts';
import type { Action, Answer, Call, Endpoint } from '../http/endpoint.ts';
import { Fault } from '../lib/fault.ts';
import { parseGuideId } from '../lib/guide-id.ts';
import { streamObject, streamOutline, type StreamFacts } from '../opml/stream-outlines.ts';
import { chooseStreams, isPlaylist, playAddress } from './choose-streams.ts';

const PLAYLIST_TYPE = 'audio/x-mpegurl';
/** Clients know by this name that it is no station they hear. */
const ANNOUNCEMENT = '/service/Audio/notcompatible.enUS.mp3';

export interface TuneNeeds {
  directory: Pick<Directory, 'current'>;
}

/** What to play: a station's streams, best first, as bare addresses, as JSON, or as options to choose from. */
export function tune({ directory }: TuneNeeds): Endpoint {
  const play: Action = (call) => {
    const found = find(directory.current(), call);
    if (call.render === 'json') return { outlines: objects(call, found) };
    return { playlist: lines(call, found), contentType: PLAYLIST_TYPE };
  };
  const options: Action = (call) => {
    const found = find(directory.current(), call);
    return { title: 'Listening Options', outlines: chosen(call, found).map((facts) => streamOutline(facts)) };
  };
  return {
    paths: ['/Tune.ashx'],
    actions: new Map([
      ['', orStatusLine(play)],
      ['ebrowse', options],
    ]),
  };
}

/** Said to a listener whose radio can play none of a station's streams. */
export function announcement(): Endpoint {
  const bytes = readFileSync(join(import.meta.dirname, 'announcements/notcompatible.enUS.mp3'));
  const answer: Answer = { bytes, contentType: 'audio/mpeg', maxAgeSeconds: 86_400 };
  return { paths: [ANNOUNCEMENT], actions: new Map([['', () => answer]]) };
}

interface Found {
  station: DirectoryStation;
  streams: readonly DirectoryStream[];
}

function find(snapshot: Snapshot, { params }: Call): Found {
  const id = parseGuideId(params.text('id') ?? '');
  const station = id?.letter === 's' ? findStation(snapshot, id.number) : undefined;
  if (station) return { station, streams: station.streams };
  const found = id?.letter === 'e' ? findByStream(snapshot, id.number) : undefined;
  if (found) return found;
  throw new Fault(
    404,
    'api.methodNotFound',
    'Nothing to tune: give the id of a station (s…) or of a stream (e…)',
  );
}

function findByStream(snapshot: Snapshot, streamId: number): Found | undefined {
  const station = findStationOfStream(snapshot, streamId);
  return station && { station, streams: station.streams.filter(({ id }) => id === streamId) };
}

const chosen = ({ caller }: Call, { station, streams }: Found): StreamFacts[] =>
  chooseStreams(streams, caller.formats).map((stream) => ({
    id: stream.id,
    stationId: station.id,
    stationName: station.name,
    address: playAddress(stream),
    bitrate: stream.bitrate,
    reliability: stream.reliability,
    // Players listen for themselves; MP3 is what a stream that says nothing mostly is.
    format: stream.format ?? 'mp3',
    playlistType: isPlaylist(stream) ? parsePlaylist(stream.playlist) : undefined,
  }));

const PLAYLISTS = ['pls', 'm3u', 'asx'] as const;
const parsePlaylist = (text: string | undefined): StreamFacts['playlistType'] =>
  PLAYLISTS.find((kind) => kind === text) ?? 'm3u';

const announcementAddress = ({ caller }: Call): string => caller.links.origin + ANNOUNCEMENT;

function lines(call: Call, found: Found): string[] {
  const addresses = chosen(call, found).map(({ address }) => address);
  return addresses.length > 0 ? addresses : [announcementAddress(call)];
}

function objects(call: Call, found: Found) {
  const streams = chosen(call, found);
  if (streams.length > 0) return streams.map((facts) => streamObject(facts));
  const { id, name } = found.station;
  const none = {
    id: 0,
    stationId: id,
    stationName: name,
    bitrate: 64,
    reliability: 100,
    format: 'mp3',
  } as const;
  return [streamObject({ ...none, address: announcementAddress(call) })];
}

/** A player reads lines, not documents: to it a fault is a comment, the way the protocol has always said it. */
const orStatusLine =
  (play: Action): Action =>
  (call) => {
    try {
      return play(call);
    } catch (error) {
      if (call.render === 'json' || !(error instanceof Fault)) throw error;
      return { playlist: ['#STATUS: 400'], contentType: PLAYLIST_TYPE, noStore: true };
    }
  };
