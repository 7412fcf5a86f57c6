import type { DirectoryStation } from '../../core/directory/snapshot/snapshot.ts';
import { playPath } from '../../core/streams/play-path.ts';
import type { Player } from '../../core/streams/player.ts';
import { RELAYED_FILE_BYTES } from '../../core/streams/relay/relay-address.ts';
import { CONVERTED_TO, copiedFormat, type RelayCaller } from '../../core/streams/relay/relay-links.ts';
import type { StationStreams } from '../../core/streams/station-streams.ts';
import { cleanMarkupText, escapeXml } from '../../formats/opml/characters.ts';
import type { StreamFormat } from '../../lib/stream-format.ts';
import type { UpnpItem, UpnpObject } from './tree.ts';

/** For whom it is written, and how that caller reached us. */
export interface DidlReader {
  player: Player;
  /** `http://192.168.1.20:8706` */
  origin: string;
  streams: StationStreams;
  relayCaller: RelayCaller;
}

/** Some show a line of text and no more. */
const MAX_TITLE = 100;

/** MPD leaves out items of class `audioBroadcast`, and old receivers hide them. */
export const ITEM_CLASS = 'object.item.audioItem.musicTrack';
const CONTAINER_CLASS = 'object.container.storageFolder';

const DOCUMENT =
  '<DIDL-Lite xmlns="urn:schemas-upnp-org:metadata-1-0/DIDL-Lite/" xmlns:dc="http://purl.org/dc/elements/1.1/"' +
  ' xmlns:upnp="urn:schemas-upnp-org:metadata-1-0/upnp/" xmlns:dlna="urn:schemas-dlna-org:metadata-1-0/">';

export const writeDidl = (objects: readonly UpnpObject[], reader: DidlReader): string =>
  `${DOCUMENT}${objects.map((object) => writeObject(object, reader)).join('')}</DIDL-Lite>`;

function writeObject(object: UpnpObject, reader: DidlReader): string {
  const id = `id="${escapeXml(object.id)}" parentID="${escapeXml(object.parentId)}" restricted="1"`;
  const title = `<dc:title>${escapeXml(titleOf(object))}</dc:title>`;
  if (object.kind === 'item')
    return `<item ${id}>${title}<upnp:class>${ITEM_CLASS}</upnp:class>${writeItem(object, reader)}</item>`;
  return (
    `<container ${id} searchable="1" childCount="${object.childCount}">` +
    `${title}<upnp:class>${CONTAINER_CLASS}</upnp:class></container>`
  );
}

/** Never empty: there are control points that leave out what has no title. */
export function titleOf({ title, id }: UpnpObject): string {
  const line = cleanMarkupText(title)
    .replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim();
  return Array.from(line).slice(0, MAX_TITLE).join('') || id;
}

function writeItem({ plays }: UpnpItem, reader: DidlReader): string {
  const { origin } = reader;
  if ('kind' in plays) return resource(`${origin}${savedPath(plays.id)}`, { format: undefined, bitrate: 0 });
  const genre = plays.genreName === undefined ? '' : `<upnp:genre>${escapeXml(plays.genreName)}</upnp:genre>`;
  const logo = `${origin}/logos/s${plays.id}q.jpg`;
  const picture = `<upnp:albumArtURI dlna:profileID="JPEG_TN">${escapeXml(logo)}</upnp:albumArtURI>`;
  return `${genre}${picture}${stationResource(plays, reader)}`;
}

/** Where a saved address is played: at ours, since MPD reads no address with an `&` in it. */
export const SAVED_PATH = '/saved/';
const savedPath = (id: string): string => `${SAVED_PATH}${id}.mp3`;

/** What a player will be sent, by all that is known of who asks; it may say more of itself when it plays. */
interface Sound {
  format: StreamFormat | undefined;
  /** kbit/s; 0 where nobody knows. */
  bitrate: number;
  /** It is sent as a long file. */
  isFile?: boolean;
}

function stationResource(station: DirectoryStation, reader: DidlReader): string {
  const { player, origin, streams, relayCaller } = reader;
  const [first] = streams.choose(station, player, relayCaller).order;
  const { stream, relayedFor, isConverted = false, isFile = false } = first ?? { stream: undefined };
  const copied = { format: stream?.format, bitrate: stream?.bitrate ?? 0 };
  const sound = isConverted
    ? CONVERTED_TO
    : relayedFor === undefined
      ? copied
      : { ...copied, format: copiedFormat(copied.format) };
  // Who follows no redirect is told at once where it would lead.
  const isDirect = player.redirects === 0 && first !== undefined;
  const address = isDirect
    ? streams.addressOf(first, player, () => relayCaller)
    : origin + playPath(station.id);
  return resource(address, { ...sound, isFile });
}

/** By the name of DLNA for each, where it has one: a wrong one is worse than none. */
const SOUNDS: Partial<Record<StreamFormat, { mime: string; profile?: string }>> = {
  mp3: { mime: 'audio/mpeg', profile: 'MP3' },
  aac: { mime: 'audio/aac' },
  ogg: { mime: 'audio/ogg' },
  opus: { mime: 'audio/ogg' },
  flac: { mime: 'audio/flac' },
  wav: { mime: 'audio/wav' },
  wma: { mime: 'audio/x-ms-wma', profile: 'WMABASE' },
  hls: { mime: 'application/vnd.apple.mpegurl' },
};
const UNKNOWN_SOUND = { mime: 'audio/mpeg', profile: undefined };

/** Any part of it may be asked for (OP), as the station sends it (CI), and it may be heard in the background. */
const FILED = 'DLNA.ORG_OP=01;DLNA.ORG_CI=0;DLNA.ORG_FLAGS=01700000000000000000000000000000';
/** No seeking (OP), as the station sends it (CI), and a stream that may stall, be heard in the background, and has no end. */
const STREAMED = 'DLNA.ORG_OP=00;DLNA.ORG_CI=0;DLNA.ORG_FLAGS=01700000000000000000000000000000';

function resource(address: string, { format, bitrate, isFile = false }: Sound): string {
  const { mime, profile } = (format && SOUNDS[format]) ?? UNKNOWN_SOUND;
  const form = isFile ? FILED : STREAMED;
  const features = profile === undefined ? form : `DLNA.ORG_PN=${profile};${form}`;
  // In bytes a second, whatever its name says.
  const rate = bitrate > 0 ? ` bitrate="${Math.round((bitrate * 1000) / 8)}"` : '';
  const size = isFile ? ` size="${RELAYED_FILE_BYTES}"` : '';
  return `<res protocolInfo="http-get:*:${mime}:${features}"${size}${rate}>${escapeXml(address)}</res>`;
}

/** All that may be in a `res`, for ConnectionManager. */
export const SOURCE_PROTOCOLS: string = [
  ...new Set(
    Object.values(SOUNDS).map(
      ({ mime, profile }) => `http-get:*:${mime}:${profile === undefined ? '*' : `DLNA.ORG_PN=${profile}`}`,
    ),
  ),
].join(',');
