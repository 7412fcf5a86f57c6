import type { Directory } from '../../../core/directory/directory.ts';
import { selectStations } from '../../../core/directory/groups/select-stations.ts';
import type { DirectoryStation, Snapshot } from '../../../core/directory/snapshot/snapshot.ts';
import { en, type MessageKey } from '../../../core/i18n/en.ts';
import type { Words } from '../../../core/i18n/words.ts';
import { type CallerPlaces, pointOf } from '../../../core/places/caller-places.ts';
import type { Outline } from '../../../formats/opml/document.ts';
import { groupOutline } from '../../../formats/opml/outlines.ts';
import { Fault } from '../../../lib/fault.ts';
import type { Coordinate } from '../../../lib/geo.ts';
import { guideId } from '../../../lib/guide-id.ts';
import { formatBit, type FormatMask, formatNames, type StreamFormat } from '../../../lib/stream-format.ts';
import { offsetMinutes, zoneAt, zoneName } from '../../../lib/zone.ts';
import type { Action, Call, Endpoint } from '../call/endpoint.ts';
import {
  apiOutline,
  type ClockReading,
  contentOutline,
  noAlbumArtOutline,
  timeOutline,
} from '../outlines/config-outlines.ts';
import { streamOutline } from '../outlines/stream-outlines.ts';

export interface ConfigEndpointDeps {
  directory: Pick<Directory, 'current'>;
  places?: Pick<CallerPlaces, 'of'> | undefined;
}

const LOGOS_PATH = '/logos/';

interface Part {
  /** The key of its group when several parts are requested. */
  key: string;
  outlines: (call: Call) => Outline[] | Promise<Outline[]>;
}

/** Configuration for applications: the time, texts to show, sample streams to test a player. */
export function configEndpoint({ directory, places }: ConfigEndpointDeps): Endpoint {
  const time = async (call: Call): Promise<Outline[]> =>
    timeOutlines(call, pointOf(await places?.of(call.caller), directory.current()));
  const parts = new Map<string, Part>([
    ['time', { key: 'time', outlines: time }],
    ['contentquery', { key: 'strings', outlines: ({ caller }) => contentOutlines(caller.words) }],
    [
      'streamsamplequery',
      { key: 'streams', outlines: ({ caller }) => sampleOutlines(directory.current(), caller.formats) },
    ],
    ['api', { key: 'api', outlines: ({ caller: { links } }) => [apiOf(links.origin)] }],
  ]);
  const single = [...parts].map(([c, { outlines }]): [string, Action] => [
    c,
    async (call) => ({ outlines: await outlines(call) }),
  ]);
  return { paths: ['/Config.ashx'], actions: new Map(single), fallback: () => severalOf(parts) };
}

/** Clients append `?` and the song to the lookup address, and a file name to the pictures address. */
const apiOf = (origin: string): Outline => apiOutline(`${origin}${ALBUM_ART_PATH}`, `${origin}${LOGOS_PATH}`);

/** `c=time,contentQuery`: a group for each part. */
const severalOf =
  (parts: ReadonlyMap<string, Part>): Action =>
  async (call) => {
    const asked = call.params.list('c').map((name) => parts.get(name.toLowerCase()));
    const known = [...new Set(asked)].filter((part) => part !== undefined);
    if (known.length === 0) {
      const names = [...parts.keys()].join(', ');
      throw new Fault(404, 'api.methodNotFound', `Invalid method: c is one or more of ${names}`);
    }
    const groups = known.map(async ({ key, outlines }) => groupOutline(key, key, await outlines(call)));
    return { outlines: await Promise.all(groups) };
  };

/** Server time is UTC, wherever the service runs; callers without a position get the same. */
function timeOutlines({ now, caller }: Call, place: Coordinate | undefined): Outline[] {
  const utcSeconds = Math.floor(now.epochMilliseconds / 1000);
  const server: ClockReading = { utcSeconds, zoneName: 'UTC', offsetMinutes: 0 };
  const zone = place && zoneAt(place);
  const detected = zone === undefined ? undefined : offsetMinutes(zone, now);
  if (zone === undefined || detected === undefined) return [timeOutline(server, server)];
  const name = zoneName(zone, caller.words.language, now);
  return [timeOutline(server, { utcSeconds, zoneName: name, offsetMinutes: detected })];
}

/** One sample stream for each format the caller names, from the most popular station that has it. */
const sampleOutlines = (snapshot: Snapshot, formats: FormatMask): Outline[] =>
  formatNames(formats).flatMap((format) => {
    const request = { formats: formatBit(format), offset: 0, limit: 1 };
    const [station] = selectStations(snapshot, request).stations;
    return station ? sampleOf(station, format) : [];
  });

function sampleOf(station: DirectoryStation, format: StreamFormat): Outline[] {
  const stream = station.streams.find((candidate) => candidate.format === format);
  if (!stream) return [];
  const { id, address, bitrate, reliability } = stream;
  const [eId, sId] = [guideId('e', id), guideId('s', station.id)];
  return [
    streamOutline({ guideId: eId, parentId: sId, name: station.name, address, bitrate, reliability, format }),
  ];
}

const isKey = (text: string): text is MessageKey => Object.hasOwn(en, text);
const KEYS = Object.keys(en).filter(isKey);

/** Our menu texts in the caller's language, for applications that show the same things on their own screens. */
const contentOutlines = (words: Words): Outline[] => KEYS.map((key) => contentOutline(key, words.text(key)));

const ALBUM_ART_PATH = '/AlbumArt.ashx';

const A_DAY_SECONDS = 86_400;

/** The only covers we know are those that stations report, and lists show them beside the song. */
const none: Action = () => ({ outlines: [noAlbumArtOutline()], maxAgeSeconds: A_DAY_SECONDS });

/** The cover of a song by artist and title: always none, which clients take as "show the station's logo". */
export const albumArt = (): Endpoint => ({ paths: [ALBUM_ART_PATH], actions: new Map([['', none]]) });
