import type { TitledBroadcastRow } from '../catalog/broadcasts.ts';
import { stationIn } from '../directory/in-words.ts';
import type { DirectoryStation } from '../directory/snapshot.ts';
import { guideId } from '../lib/guide-id.ts';
import type { Outline } from '../opml/document.ts';
import {
  nowPlayingObject,
  playingItemLine,
  playingShowLine,
  playingStationLine,
} from '../opml/now-playing-outlines.ts';
import { textOutline } from '../opml/outlines.ts';
import { songLine } from '../playing/song.ts';
import type { Words } from '../words/words.ts';
import type { Show, Topic } from './catalogue.ts';
import { genreNameIn, languageOf } from './details.ts';
import { type OnAir, currentBroadcast, secondsBetween } from './on-air.ts';
import type { Telling } from './request.ts';

/** Lines for a small display. There are always two: clients show the first as artist and the second as title. */
export function stationPlaying(telling: Telling, station: DirectoryStation, onAir: OnAir): Outline[] {
  const { snapshot, words, now } = telling;
  const told = stationIn(snapshot, station, words);
  const broadcast = currentBroadcast(onAir.schedule, now);
  const { song } = onAir;
  const lines = [
    song && textOutline(songLine(song), { key: 'song' }),
    broadcast && showLine(broadcast, now),
    song || broadcast ? undefined : lineOf(told.slogan),
    lineOf(genreNameIn(telling, broadcast?.genre_id) ?? told.genreName),
    broadcast && textOutline(remainingText(secondsBetween(now, broadcast.ends_at), words)),
  ].filter((line) => line !== undefined);
  const second = told.languageName ?? told.placeName ?? words.text('describe.liveRadio');
  const more = lines.length > 0 ? lines : [textOutline(second)];
  return [playingStationLine(told), ...more, nowPlayingObject(guideId('s', station.id))];
}

export function showPlaying(telling: Telling, show: Show): Outline[] {
  const id = guideId('p', show.id);
  const genre = genreNameIn(telling, show.genre_id);
  const second = show.hosts ?? genre ?? languageOf(show, telling.words) ?? show.title;
  const lines = [second, ...(genre === undefined || genre === second ? [] : [genre])];
  return [playingItemLine(show.title, id), ...lines.map((text) => textOutline(text)), nowPlayingObject(id)];
}

export function topicPlaying({ show, ...topic }: Topic): Outline[] {
  const showId = guideId('p', show.id);
  const title = textOutline(topic.title, { guideId: guideId('t', topic.id), key: 'topic' });
  return [playingItemLine(show.title, showId), title, nowPlayingObject(showId)];
}

const lineOf = (text: string | undefined): Outline | undefined =>
  text === undefined || text === '' ? undefined : textOutline(text);

const showLine = (
  { show_id: id, title, starts_at: start, ends_at: end }: TitledBroadcastRow,
  now: Temporal.Instant,
): Outline =>
  playingShowLine({
    id,
    title,
    secondsRemaining: secondsBetween(now, end),
    durationSeconds: secondsBetween(start, end),
  });

/** `37m remaining`, `1h, 5m remaining`; a minute that has begun counts. */
export function remainingText(seconds: number, words: Words): string {
  const minutes = Math.ceil(seconds / 60);
  if (minutes < 60) return words.text('describe.minutesLeft', { minutes });
  return words.text('describe.hoursLeft', { hours: Math.floor(minutes / 60), minutes: minutes % 60 });
}
