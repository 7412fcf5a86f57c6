import type { Song } from '../../../core/now-playing/song.ts';
import type { Coordinate } from '../../../lib/geo.ts';
import { guideId } from '../../../lib/guide-id.ts';
import type { DescribedObject, FieldValue, Outline } from '../../../formats/opml/document.ts';
import { logoOf, objectOutline } from '../../../formats/opml/outlines.ts';
import { reportTarget } from './report-outlines.ts';

/** A song on air. */
export type DescribedSong = Pick<Song, 'title' | 'artist' | 'album' | 'artAddress'>;

/** The data of one station's description. */
export interface StationDetails {
  id: number;
  name: string;
  callSign?: string | undefined;
  slogan?: string | undefined;
  frequency?: string | undefined;
  band?: string | undefined;
  homepage?: string | undefined;
  /** Whether the caller has saved it. */
  isPreset?: boolean | undefined;
  isMusic: boolean;
  hasSchedule: boolean;
  placeName?: string | undefined;
  song?: DescribedSong | undefined;
  description?: string | undefined;
  languageName?: string | undefined;
  genreId?: number | undefined;
  genreName?: string | undefined;
  regionId?: number | undefined;
  countryRegionId?: number | undefined;
  coordinate?: Coordinate | undefined;
  /** `GMT + 1 (CET)`. */
  zoneText?: string | undefined;
  zoneOffsetMinutes?: number | undefined;
}

type Fields = DescribedObject['fields'];

/**
 * Every field that clients have been sent, in that order. Unknown ones are empty, except booleans, since clients take
 * anything but `false` as true.
 */
export function stationObject(station: StationDetails): Outline {
  const fields = [...ownFields(station), ...songFields(station.song), ...placeFields(station), ...RIGHTS];
  return objectOutline(station.name, 'station', fields);
}

function ownFields(station: StationDetails): Fields {
  const id = guideId('s', station.id);
  return [
    ['guideId', id],
    ['presetId', id],
    ['name', station.name],
    // One client shows this instead of the name.
    ['callSign', station.callSign ?? station.name],
    ['slogan', station.slogan ?? ''],
    ['frequency', station.frequency ?? ''],
    ['band', station.band ?? ''],
    ['url', station.homepage ?? ''],
    ['reportUrl', reportTarget(id)],
    ['detailUrl', ''],
    ['isPreset', station.isPreset ?? false],
    ['isAvailable', true],
    ['isMusic', station.isMusic],
    ['hasSong', station.song !== undefined],
    ['hasSchedule', station.hasSchedule],
    ['hasTopics', false],
    ['twitterId', ''],
    ['logo', logoOf(id)],
    ['location', station.placeName ?? ''],
  ];
}

const songFields = (song: DescribedSong | undefined): Fields =>
  song === undefined
    ? []
    : [
        ['currentSong', song.title],
        ['currentArtist', song.artist ?? ''],
        ['currentArtistId', ''],
        ['currentAlbum', song.album ?? ''],
        ['currentArtistArt', ''],
        ['currentAlbumArt', song.artAddress ?? ''],
      ];

function placeFields(station: StationDetails): Fields {
  const { coordinate, countryRegionId, genreId, regionId } = station;
  return [
    ['description', station.description ?? ''],
    ['email', ''],
    ['phone', ''],
    ['mailingAddress', ''],
    ['language', station.languageName ?? ''],
    ['genreId', genreId === undefined ? '' : guideId('g', genreId)],
    ['genreName', station.genreName ?? ''],
    ['regionId', regionId === undefined ? '' : guideId('r', regionId)],
    ['countryRegionId', countryRegionId === undefined ? '' : String(countryRegionId)],
    ...(coordinate ? [['latlon', `${coordinate.latitude},${coordinate.longitude}`] as const] : []),
    ['tz', station.zoneText ?? ''],
    ['tzOffset', station.zoneOffsetMinutes ?? null],
  ];
}

const no = (...names: string[]): (readonly [string, FieldValue])[] => names.map((name) => [name, false]);

/** What listeners may do with a station: listen; nothing is sold or tracked. */
const RIGHTS: Fields = [
  ...no('adEligible', 'prerollAdEligible', 'companionAdEligible', 'videoPrerollAdEligible'),
  ...no('fbShare', 'twitterShare', 'songShare'),
  ['tuneinUrl', ''],
  ...no('isFamilyContent', 'isMatureContent', 'isEvent'),
  ['contentClassification', ''],
  // A string among booleans: that is how typed clients expect it.
  ['hasProfile', 'false'],
  ...no('canCast', 'nielsenEligible', 'useNativePlayer', 'liveSeekStream', 'seekDisabled'),
];
