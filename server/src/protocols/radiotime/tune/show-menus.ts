import { stationIn } from '../../../core/directory/lookup/in-words.ts';
import type { Snapshot } from '../../../core/directory/snapshot/snapshot.ts';
import { songAt, type SongsNow } from '../../../core/now-playing/listed-songs.ts';
import { linkTo, type OpmlDocument, type Outline } from '../../../formats/opml/document.ts';
import {
  groupOutline,
  linkOutline,
  stationOutline,
  textOutline,
  withOnAir,
} from '../../../formats/opml/outlines.ts';
import { guideId } from '../../../lib/guide-id.ts';
import { topicPlays } from '../../../lib/stream-format.ts';
import type { Call } from '../call/endpoint.ts';
import { topicLine } from '../outlines/show-outlines.ts';
import { type Airing, isOnNow, listAirings } from './on-air.ts';
import { type KnownShow, TOPICS_SHOWN } from './shows.ts';

/** Stations per heading, as in every other menu. */
const STATIONS_SHOWN = 50;

/** The data of a show's menus. */
export interface ShowRequest {
  call: Call;
  snapshot: Snapshot;
  known: KnownShow;
  songs: SongsNow | undefined;
}

/**
 * What can be heard of a show: its topics, live broadcasts, and its stations. Topics come first, because a Linn reads
 * only the first group.
 */
export function showMenu(request: ShowRequest): OpmlDocument {
  const { call, known } = request;
  const { words } = call.caller;
  const topics = known.topics
    .slice(0, TOPICS_SHOWN)
    .filter((topic) => topicPlays(topic, call.caller.formats))
    .map((topic) => topicLine(topic, words.language));
  const airings = airingsOf(request);
  const stations = airings.slice(0, STATIONS_SHOWN).map((airing) => airingLine(request, airing));
  const live = stations.slice(0, airings[0] && isOnNow(airings[0]) ? 1 : 0);
  const groups: [text: string, key: string, outlines: Outline[]][] = [
    [words.text('menu.topics'), 'topics', topics],
    [words.text('tune.listenNow'), 'liveShow', live],
    [words.text('menu.stations'), 'stations', stations],
  ];
  const isFlat = call.params.flag('flatten');
  const outlines = isFlat ? [...topics, ...stations] : groups.flatMap((group) => headed(...group));
  const all = outlines.length > 0 ? outlines : [textOutline(words.text('tune.nothing'))];
  return { title: known.show.title, outlines: [...all, ...allTopics(request)] };
}

/** The stations that have a show on air, those with the most of it left first. */
export function stationsMenu(request: ShowRequest): OpmlDocument {
  const { call, known } = request;
  const { words } = call.caller;
  const airings = airingsOf(request)
    .filter(isOnNow)
    .slice(0, STATIONS_SHOWN * 3);
  const title = known.show.title;
  if (airings.length === 0) return { title, outlines: [textOutline(words.text('tune.notOnAir'))] };
  const lines = (from: number, until: number): Outline[] =>
    airings
      .filter(({ secondsRemaining = 0 }) => secondsRemaining > from && secondsRemaining <= until)
      .map((airing) => airingLine(request, airing));
  if (call.params.flag('flatten')) return { title, outlines: lines(0, Infinity) };
  return {
    title,
    outlines: [
      ...headed(words.text('tune.overAnHour'), 'stations', lines(3600, Infinity)),
      ...headed(words.text('tune.overHalfAnHour'), 'stations', lines(1800, 3600)),
      ...headed(words.text('tune.underHalfAnHour'), 'stations', lines(0, 1800)),
    ],
  };
}

const headed = (text: string, key: string, outlines: Outline[]): Outline[] =>
  outlines.length > 0 ? [groupOutline(text, key, outlines)] : [];

const airingsOf = ({ call, snapshot, known }: ShowRequest): Airing[] =>
  listAirings(snapshot, known, { now: call.now, formats: call.caller.formats });

function airingLine(request: ShowRequest, { station, secondsRemaining }: Airing): Outline {
  const { call, snapshot, known, songs } = request;
  const line = stationOutline(stationIn(snapshot, station, call.caller.words), 'byGenre');
  const song = songAt(songs, station.rank);
  if (secondsRemaining === undefined) return song ? withOnAir(line, song) : line;
  const onAir = { ...song, showId: known.show.id, showTitle: known.show.title };
  return { ...withOnAir(line, onAir), secondsRemaining };
}

/**
 * A link to older topics, if there are more. Its key is not that of a group, because one client looks for children in
 * everything whose key begins with `topic`.
 */
function allTopics({ call, known }: ShowRequest): Outline[] {
  if (known.topics.length <= TOPICS_SHOWN) return [];
  const { id, title } = known.show;
  const target = linkTo('/Browse.ashx', ['c', 'topics'], ['id', guideId('p', id)], ['title', title]);
  return [linkOutline(call.caller.words.text('menu.allTopics'), target, { key: 'nextTopics' })];
}
