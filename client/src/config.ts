import type { CallOptions, Connection } from './connection.ts';
import type { Outline } from './outline.ts';

/** Config: what a device asks when it starts. */
export class ConfigCalls {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async #lines(c: string, call?: CallOptions): Promise<readonly Outline[]> {
    const { outlines } = await this.#connection.ask('/Config.ashx', { c }, call);
    return outlines;
  }

  /** When it is, in seconds: the time in UTC and on the clock of the caller's place. */
  async time(call?: CallOptions): Promise<{ utc: number; detected: number; zone: string }> {
    const [line] = await this.#lines('time', call);
    const { utc_time = '', detected_time = '', detected_tz = '' } = line?.attributes ?? {};
    return { utc: Number(utc_time), detected: Number(detected_time), zone: detected_tz };
  }

  /** The words of the menus, in the caller's language. */
  async content(call?: CallOptions): Promise<Record<string, string>> {
    const lines = await this.#lines('contentQuery', call);
    return Object.fromEntries(lines.map(({ key = '', attributes }) => [key, attributes['value'] ?? '']));
  }

  /** A stream to try for each format that the caller plays. */
  streamSamples(call?: CallOptions): Promise<readonly Outline[]> {
    return this.#lines('streamSampleQuery', call);
  }

  /** Further services of the directory, as attributes of one line. */
  async api(call?: CallOptions): Promise<Readonly<Record<string, string>>> {
    const [line] = await this.#lines('api', call);
    return line?.attributes ?? {};
  }
}
