import type { OnAirRow } from '../catalog/on-air.ts';
import { type ShowRow, listShows } from '../catalog/shows.ts';
import type { Queryable } from '../db/pool.ts';
import { findStation } from '../directory/by-id.ts';
import { stationIn } from '../directory/in-words.ts';
import { playableBits, wantedBits } from '../directory/playable.ts';
import { guideId } from '../lib/guide-id.ts';
import { formatBit, playsShow } from '../lib/stream-format.ts';
import { formatsOfScheme } from '../lib/stream-schemes.ts';
import type { PresetRow } from '../members/presets.ts';
import type { Outline } from '../opml/document.ts';
import { stationOutline, withOnAir } from '../opml/outlines.ts';
import { asPreset, urlPresetOutline } from '../opml/preset-outlines.ts';
import { showOutline } from '../opml/show-outlines.ts';
import { songAt } from '../playing/songs-now.ts';
import type { BrowseRequest } from './request.ts';
import { showFacts } from './show-pages.ts';

/** The shows among presets, by id. One that was taken off the lists is gone: nothing of it is played or described. */
export async function showsOf(
  db: Queryable,
  presets: readonly PresetRow[],
): Promise<ReadonlyMap<number, ShowRow>> {
  const ids = presets.filter(({ kind }) => kind === 'p').map(({ item_id: id }) => id);
  const rows = ids.length > 0 ? await listShows(db, ids) : [];
  return new Map(rows.filter(({ listed }) => listed).map((row) => [row.id, row]));
}

export interface PresetOptions {
  shows: ReadonlyMap<number, ShowRow>;
  /** What stations among them have on air. */
  onAir: ReadonlyMap<number, OnAirRow>;
  /** Links of shows play something instead of leading to a menu. */
  tuneShows: boolean;
}

/** A preset's line. What is gone, or does not play here, is still listed, and says so. */
export function presetOutline(
  request: BrowseRequest,
  preset: PresetRow,
  { shows, onAir, tuneShows }: PresetOptions,
): Outline {
  const { kind, item_id: id, position, label } = preset;
  if (kind === 'u') return addressPreset(request, preset);
  if (kind === 's') return asPreset(stationPreset(request, preset, onAir.get(id)), position);
  const show = shows.get(id);
  const facts = show ? showFacts(show) : { id, title: label ?? guideId('p', id), subtext: '' };
  const outline = showOutline(facts);
  const params = [['id', guideId('p', id)]] as const;
  const tuned = tuneShows ? { ...outline, target: { path: '/Tune.ashx', params } } : outline;
  return asPreset(
    show && playsShow(show, request.stations.formats) ? tuned : unavailable(request, tuned),
    position,
  );
}

/** What an address leads to only its scheme says, and only some have one that does. */
function addressPreset(
  request: BrowseRequest,
  { item_id: id, position, address, label }: PresetRow,
): Outline {
  const outline = urlPresetOutline({ id, name: label ?? address ?? '', address: address ?? '' }, position);
  const { formats } = request.stations;
  const plays = formatsOfScheme(address ?? '')?.some((format) => (formatBit(format) & formats) !== 0) ?? true;
  return plays ? outline : unavailable(request, outline);
}

function stationPreset(
  request: BrowseRequest,
  { item_id: id, label }: PresetRow,
  onAir: OnAirRow | undefined,
): Outline {
  const { snapshot, words, stations, songs } = request;
  const station = findStation(snapshot, id);
  if (!station) {
    const gone = { id, name: label ?? guideId('s', id), bitrate: 0, reliability: 0, formats: 0 };
    return unavailable(request, stationOutline(gone, 'preset'));
  }
  const outline = stationOutline(stationIn(snapshot, station, words), 'preset');
  const plays = (playableBits(station) & wantedBits(stations.formats)) !== 0;
  if (!plays) return unavailable(request, outline);
  const song = songAt(songs, station.rank);
  if (!onAir && !song) return outline;
  return withOnAir(outline, { ...song, showId: onAir?.show_id, showTitle: onAir?.title });
}

const unavailable = ({ words }: BrowseRequest, outline: Outline): Outline => ({
  ...outline,
  subtext: words.text('browse.notSupported'),
  key: 'unavailable',
});
