import { affiliatesOfStation } from '../directory/by-affiliate.ts';
import { findStation } from '../directory/by-id.ts';
import { stationIn, stationsIn } from '../directory/in-words.ts';
import { similarRanks } from '../directory/similar.ts';
import type { DirectoryStation, Snapshot } from '../directory/snapshot.ts';
import { type GuideLetter, guideId } from '../lib/guide-id.ts';
import type { Outline } from '../opml/document.ts';
import { showOptions, stationOptions } from '../opml/option-outlines.ts';
import { groupOutline, linkOutline } from '../opml/outlines.ts';
import { scheduleOutline } from '../opml/schedule-outlines.ts';
import { showOutline } from '../opml/show-outlines.ts';
import { stationLines } from '../opml/station-lines.ts';
import { genreNameIn, wallTime } from './details.ts';
import { itemObject } from './item-object.ts';
import type { Item } from './item.ts';
import { secondsBetween } from './on-air.ts';
import type { DescribeRequest } from './request.ts';

/** Something that goes with an item, under a heading; a group with nothing in it is not written. */
type Group = (request: DescribeRequest, item: Item) => Outline | Promise<Outline>;

/** As many as a listener looks through; Browse has the rest. */
const MOST_SIMILAR = 10;

const listing: Group = async (request, item) =>
  groupOutline(request.words.text('describe.listing'), 'listing', [
    await itemObject(request, withSlogan(request, item)),
  ]);

/** A client shows the slogan of a listing as the name of what is playing, so a station without one says what it is. */
function withSlogan({ snapshot, words }: DescribeRequest, item: Item): Item {
  if (item.kind !== 'station' || item.station.slogan !== undefined) return item;
  const { genreName, placeName, name } = stationIn(snapshot, item.station, words);
  return { kind: 'station', station: { ...item.station, slogan: genreName ?? placeName ?? name } };
}

const options: Group = ({ words }, item) => {
  const title = words.text('describe.options');
  if (item.kind === 'station') return groupOutline(title, 'options', stationOptions(item.station.id, words));
  return groupOutline(title, 'options', item.kind === 'show' ? showOptions(item.show.id, words) : []);
};

/** What was on when the schedule was read may be over. */
const schedules: Group = async ({ catalogue, words, now }, item) => {
  const rows = item.kind === 'station' ? await catalogue.listOnAir(item.station.id) : [];
  const left = rows.filter(({ ends_at: end }) => Temporal.Instant.compare(end, now) > 0);
  const lines = left.map(({ show_id: showId, title, starts_at: start, ends_at: end }) =>
    scheduleOutline({
      showId,
      title,
      start: wallTime(start, 'UTC'),
      durationSeconds: secondsBetween(start, end),
    }),
  );
  return groupOutline(words.text('describe.schedule'), 'schedules', lines);
};

const affiliates: Group = ({ snapshot, words }, item) => {
  const networks = new Set(stationsOf(snapshot, item).flatMap((own) => affiliatesOfStation(snapshot, own)));
  const links = [...networks].map(({ id, name }) => menuLink(name, 'a', id));
  return groupOutline(words.text('describe.affiliates'), 'affiliates', links);
};

/** A station itself, or those that have a show on the air next: a show belongs to their networks. */
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
  return groupOutline(request.words.text('describe.genres'), 'genres', links);
};

const recommendations: Group = async (request, item) => {
  const { snapshot, formats, words, catalogue } = request;
  if (item.kind === 'station') {
    const similar = similarRanks(snapshot, item.station, { formats, limit: MOST_SIMILAR });
    const told = { ...stationsIn(snapshot, words), ...request.listed() };
    const lines = stationLines(told, similar, 'byGenre');
    return groupOutline(words.text('describe.similarStations'), 'recommendations', lines);
  }
  const [genreId] = genreIdsOf(item);
  const shows = genreId === undefined ? [] : await catalogue.listShowsOfGenre(genreId, formats);
  const others = shows.filter(({ id }) => item.kind === 'show' && id !== item.show.id).slice(0, MOST_SIMILAR);
  const lines = others.map((show) => showOutline(show));
  return groupOutline(words.text('describe.similarShows'), 'recommendations', lines);
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

/** Beside a description, in this order: a client reads them by their place in the body. */
export const DETAILS: ReadonlyMap<string, Group> = new Map([
  ['genre', genres],
  ['recommendation', recommendations],
  ['affiliate', affiliates],
]);

/** What a composite is made of; clients take the first group for the item itself. */
export const COMPOSITES: ReadonlyMap<string, Group> = new Map([
  ['listing', listing],
  ['option', options],
  ['schedule', schedules],
  ['affiliate', affiliates],
  ['genre', genres],
  ['recommendation', recommendations],
]);

/** Those of the groups that are asked for; names in the singular or the plural, unknown ones left out. */
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
