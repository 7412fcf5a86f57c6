import type { CallOptions, Connection } from './connection.ts';
import { type Explanation, readExplanation } from './explanation.ts';
import type { Menu, Outline } from './outline.ts';

/** One address to play. Try the next one when it fails. */
export interface TunedStream {
  url: string;
  guideId: string;
  mediaType: string;
  /** In kbit/s; 0 when nobody knows. */
  bitrate: number;
  /** Of 100. */
  reliability: number;
  /** Why nothing better could be given; the address is then a spoken announcement. */
  reason: string | undefined;
}

/** Tune: where a station, show, topic or saved address is heard. */
export class TuneCalls {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** The streams that the caller can play, the best first. */
  async streams(id: string, call?: CallOptions): Promise<TunedStream[]> {
    const { outlines } = await this.#connection.with({ render: 'json' }).ask('/Tune.ashx', { id }, call);
    return outlines.map(toStream);
  }

  /** The same as a plain playlist: its lines. */
  async playlist(id: string, call?: CallOptions): Promise<string[]> {
    const text = await this.#connection.text('/Tune.ashx', { id }, call);
    return text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  }

  /** Why these streams and not others, for the very call that `streams` and `playlist` make. */
  async explain(id: string, call?: CallOptions): Promise<Explanation> {
    const { outlines } = await this.#connection.ask('/Tune.ashx', { id, explain: true }, call);
    return readExplanation(outlines);
  }

  /** A line for each stream, to choose from. */
  choices(id: string, call?: CallOptions): Promise<Menu> {
    return this.#connection.ask('/Tune.ashx', { c: 'ebrowse', id }, call);
  }

  /** How a show can be heard: its topics, the stations that have it on air. */
  show(showId: string, call?: CallOptions): Promise<Menu> {
    return this.#connection.ask('/Tune.ashx', { c: 'pbrowse', id: showId }, call);
  }

  /** The stations that have a show on air, by the time that is left. */
  showStations(showId: string, call?: CallOptions): Promise<Menu> {
    return this.#connection.ask('/Tune.ashx', { c: 'sbrowse', id: showId }, call);
  }
}

function toStream({ described }: Outline): TunedStream {
  const { url = '', guide_id: guideId = '', media_type: mediaType = '', ...rest } = described?.fields ?? {};
  const { bitrate, reliability, reason } = rest;
  return { url, guideId, mediaType, bitrate: Number(bitrate), reliability: Number(reliability), reason };
}
