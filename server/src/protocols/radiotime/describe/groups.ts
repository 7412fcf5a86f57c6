import { stationIn, stationsIn } from '../../../core/directory/lookup/in-words.ts';
import { affiliatesOfStation, findStation } from '../../../core/directory/lookup/lookups.ts';
import { similarRanks } from '../../../core/directory/lookup/similar.ts';
import type { DirectoryStation, Snapshot } from '../../../core/directory/snapshot/snapshot.ts';
import type { Outline } from '../../../formats/opml/document.ts';
import { groupOutline, linkOutline } from '../../../formats/opml/outlines.ts';
import { guideId, type GuideLetter } from '../../../lib/guide-id.ts';
import { showOptions, stationOptions } from '../outlines/option-outlines.ts';
import { scheduleOutline } from '../outlines/schedule-outlines.ts';
import { showOutline } from '../outlines/show-outlines.ts';
import { stationLines } from '../outlines/station-lines.ts';
import { genreNameIn, itemObject, wallTime } from './details.ts';
import { secondsUntil } from './on-air.ts';
import type { DescribeRequest, Item } from './request.ts';

/** A group of related items under a heading; left out when empty. */
type Group = (request: DescribeRequest, item: Item) => Outline | Promise<Outline>;

/** As many as a listener looks through; Browse has the rest. */
const MAX_SIMILAR = 10;

const listing: Group = async (request, item) =>
  groupOutline(request.words.text('describe.listing'), 'listing', [
    await itemObject(request, withSlogan(request, item)),
  ]);

/** One client shows the slogan of a listing as what is playing, so a station without one gets its genre or place. */
function withSlogan({ snapshot, words }: DescribeRequest, item: Item): Item {
  if (item.kind !== 'station' || item.station.slogan !== undefined) return item;
  const { genreName, placeName, name } = stationIn(snapshot, item.station, words);
  return { kind: 'station', station: { ...item.station, slogan: genreName ?? placeName ?? name } };
}

const options: Group = ({ words }, item) => {
  const title = words.text('menu.options');
  if (item.kind === 'station') return groupOutline(title, 'options', stationOptions(item.station.id, words));
  return groupOutline(title, 'options', item.kind === 'show' ? showOptions(item.show.id, words) : []);
};

/** Broadcasts that have ended since the schedule was read are skipped. */
const schedules: Group = async ({ catalogue, words, now }, item) => {
  const rows = item.kind === 'station' ? await catalogue.listOnAir(item.station.id) : [];
  const left = rows.filter(({ ends_at: end }) => Temporal.Instant.compare(end, now) > 0);
  const lines = left.map(({ show_id: showId, title, starts_at: start, ends_at: end }) =>
    scheduleOutline({
      showId,
      title,
      start: wallTime(start, 'UTC'),
      durationSeconds: secondsUntil(start, end),
    }),
  );
  return groupOutline(words.text('menu.schedule'), 'schedules', lines);
};

const affiliates: Group = ({ snapshot, words }, item) => {
  const networks = new Set(stationsOf(snapshot, item).flatMap((own) => affiliatesOfStation(snapshot, own)));
  const links = [...networks].map(({ id, name }) => menuLink(name, 'a', id));
  return groupOutline(words.text('menu.networks'), 'affiliates', links);
};

/** The station itself, or the stations that broadcast a show next: a show belongs to their networks. */
function stationsOf(snapshot: Snapshot, item: Item): DirectoryStation[] {
  if (item.kind === 'station') return [item.station];
  const broadcasts = item.kind === 'show' ? item.show.broadcasts : [];
  const ids = new Set(broadcasts.map(({ station_id: id }) => id));
  return [...ids].map((id) => findStation(snapshot, id)).filter((station) => station !== undefined);
}

const genres: Group = (request, item) => {
  const links = genreIdsOf(item).flatMap((id) => {
    const name = genreNameIn(request, id);
    return name === undefined ? [] : [menuLink(name, 'g', id)];
  });
  return groupOutline(request.words.text('menu.genres'), 'genres', links);
};

const recommendations: Group = async (request, item) => {
  const { snapshot, formats, words, catalogue } = request;
  if (item.kind === 'station') {
    const similar = similarRanks(snapshot, item.station, { formats, limit: MAX_SIMILAR });
    const given = { ...stationsIn(snapshot, words), ...request.listed() };
    const lines = stationLines(given, similar, 'byGenre');
    return groupOutline(words.text('menu.similarStations'), 'recommendations', lines);
  }
  const [genreId] = genreIdsOf(item);
  const shows = genreId === undefined ? [] : await catalogue.listShowsOfGenre(genreId, formats);
  const others = shows.filter(({ id }) => item.kind === 'show' && id !== item.show.id).slice(0, MAX_SIMILAR);
  const lines = others.map((show) => showOutline(show));
  return groupOutline(words.text('menu.similarShows'), 'recommendations', lines);
};

function genreIdsOf(item: Item): readonly number[] {
  if (item.kind === 'station') return item.station.genreIds;
  const genreId = item.kind === 'show' ? item.show.genre_id : null;
  return genreId === null ? [] : [genreId];
}

const menuLink = (text: string, letter: GuideLetter, number: number): Outline => {
  const id = guideId(letter, number);
  return linkOutline(text, { path: '/Browse.ashx', params: [['id', id]] }, { guideId: id });
};

/** Parts of a description, in this order: a client reads them by their position in the body. */
export const DETAILS: ReadonlyMap<string, Group> = new Map([
  ['genre', genres],
  ['recommendation', recommendations],
  ['affiliate', affiliates],
]);

/** Parts of a composite; clients take the first group for the item itself. */
export const COMPOSITES: ReadonlyMap<string, Group> = new Map([
  ['listing', listing],
  ['option', options],
  ['schedule', schedules],
  ['affiliate', affiliates],
  ['genre', genres],
  ['recommendation', recommendations],
]);

/** The requested groups; names in singular or plural, unknown ones ignored. */
export async function askedGroups(
  groups: ReadonlyMap<string, Group>,
  asked: readonly string[],
  request: DescribeRequest,
  item: Item,
): Promise<Outline[]> {
  const names = new Set(asked.map((name) => name.toLowerCase().replace(/s$/, '')));
  const chosen = [...groups].filter(([name]) => names.has(name));
  return Promise.all(chosen.map(async ([, group]) => group(request, item)));
}
