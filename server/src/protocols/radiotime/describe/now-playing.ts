import type { TitledBroadcastRow } from '../../../storage/catalog/schedules/broadcasts.ts';
import { stationIn } from '../../../core/directory/lookup/in-words.ts';
import type { DirectoryStation } from '../../../core/directory/snapshot/snapshot.ts';
import { guideId } from '../../../lib/guide-id.ts';
import type { Outline } from '../../../formats/opml/document.ts';
import {
  nowPlayingObject,
  playingItemLine,
  playingShowLine,
  playingStationLine,
} from '../outlines/now-playing-outlines.ts';
import { textOutline } from '../../../formats/opml/outlines.ts';
import { songLine } from '../../../core/now-playing/song.ts';
import type { Words } from '../../../core/i18n/words.ts';
import type { Show, Topic } from './catalogue.ts';
import { genreNameIn, languageOf } from './details.ts';
import { type StationOnAir, currentBroadcast, secondsUntil } from './on-air.ts';
import type { DescribeContext } from './request.ts';

/** Lines for a small display. Always two: clients show the first as artist and the second as title. */
export function stationPlaying(
  context: DescribeContext,
  station: DirectoryStation,
  onAir: StationOnAir,
): Outline[] {
  const { snapshot, words, now } = context;
  const given = stationIn(snapshot, station, words);
  const broadcast = currentBroadcast(onAir.schedule, now);
  const { song } = onAir;
  const lines = [
    song && textOutline(songLine(song), { key: 'song' }),
    broadcast && showLine(broadcast, now),
    song || broadcast ? undefined : lineOf(given.slogan),
    lineOf(genreNameIn(context, broadcast?.genre_id) ?? given.genreName),
    broadcast && textOutline(remainingText(secondsUntil(now, broadcast.ends_at), words)),
  ].filter((line) => line !== undefined);
  const second = given.languageName ?? given.placeName ?? words.text('describe.liveRadio');
  const more = lines.length > 0 ? lines : [textOutline(second)];
  return [playingStationLine(given), ...more, nowPlayingObject(guideId('s', station.id))];
}

export function showPlaying(context: DescribeContext, show: Show): Outline[] {
  const id = guideId('p', show.id);
  const genre = genreNameIn(context, show.genre_id);
  const second = show.hosts ?? genre ?? languageOf(show, context.words) ?? show.title;
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
    secondsRemaining: secondsUntil(now, end),
    durationSeconds: secondsUntil(start, end),
  });

/** `37m remaining`, `1h, 5m remaining`; rounded up to whole minutes. */
export function remainingText(seconds: number, words: Words): string {
  const minutes = Math.ceil(seconds / 60);
  if (minutes < 60) return words.text('describe.minutesLeft', { minutes });
  return words.text('describe.hoursLeft', { hours: Math.floor(minutes / 60), minutes: minutes % 60 });
}
