import type { EventStream } from '../../../net/http/endpoints/event-stream.ts';
import { guideId } from '../../../lib/guide-id.ts';
import type { PlayingBoard } from '../../../core/now-playing/playing-board.ts';
import { type Song, songLine } from '../../../core/now-playing/song.ts';

/** Songs that end unannounced disappear within this time; watching also counts as demand for polling. */
const TICK_MS = 10_000;

interface Watched {
  /** The last event sent. */
  said: string;
  streams: Set<EventStream>;
}

/** Pages that watch stations: each is sent the current song immediately and on every change. */
export class Watch implements Disposable {
  readonly #board: Pick<PlayingBoard, 'songOf' | 'asked' | 'onNews'>;
  readonly #watched = new Map<number, Watched>();
  readonly #news: Disposable;
  readonly #timer: NodeJS.Timeout;

  constructor(board: Pick<PlayingBoard, 'songOf' | 'asked' | 'onNews'>, tickMs = TICK_MS) {
    this.#board = board;
    this.#news = board.onNews((news) => {
      for (const { stationId } of news) this.#look(stationId);
    });
    this.#timer = setInterval(() => this.#tick(), tickMs).unref();
  }

  /** The number of stations being watched. */
  get size(): number {
    return this.#watched.size;
  }

  add(stream: EventStream, stationIds: readonly number[]): void {
    for (const id of stationIds) {
      this.#board.asked(id);
      this.#look(id);
      const watched = this.#watched.get(id) ?? { said: this.#wordsOf(id), streams: new Set() };
      this.#watched.set(id, watched);
      watched.streams.add(stream);
      stream.send('playing', watched.said);
    }
    stream.onEnd(() => this.#remove(stream, stationIds));
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
    this.#news[Symbol.dispose]();
    this.#watched.clear();
  }

  #remove(stream: EventStream, stationIds: readonly number[]): void {
    for (const id of stationIds) {
      const watched = this.#watched.get(id);
      watched?.streams.delete(stream);
      if (watched?.streams.size === 0) this.#watched.delete(id);
    }
  }

  #tick(): void {
    for (const id of this.#watched.keys()) {
      this.#board.asked(id);
      this.#look(id);
    }
  }

  #look(stationId: number): void {
    const watched = this.#watched.get(stationId);
    if (!watched) return;
    const words = this.#wordsOf(stationId);
    if (words === watched.said) return;
    watched.said = words;
    for (const stream of watched.streams) stream.send('playing', words);
  }

  #wordsOf(stationId: number): string {
    const song = this.#board.songOf(stationId);
    return JSON.stringify({ id: guideId('s', stationId), song: song ? given(song) : null });
  }
}

const given = (song: Song): Record<string, string | undefined> => ({
  text: songLine(song),
  title: song.title,
  artist: song.artist,
  album: song.album,
  image: song.artAddress,
  startedAt: writeTime(song.startedAt),
  endsAt: song.endsAt === undefined ? undefined : writeTime(song.endsAt),
});

const writeTime = (ms: number): string => new Date(ms).toISOString();
