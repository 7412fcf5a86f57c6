import { readOpmlList } from '../../formats/opml-list/parse.ts';
import { parsePlaylist } from '../../formats/playlist/parse-playlist.ts';
import type { Fetched, SafeFetcher } from '../../lib/fetch-safely/fetch-safely.ts';

/** A line of a menu that leads somewhere. */
export interface MenuLine {
  name: string;
  isStation: boolean;
  /** As it is written; its host is for radios, who may know it by another name than this machine. */
  address: string;
}

const DEADLINE_MS = 3000;

/** Asks the server what radios ask it, at one address whatever the links say. */
export class RadioCaller {
  readonly #fetcher: SafeFetcher;
  readonly #origin: string;

  constructor(fetcher: SafeFetcher, origin: string) {
    this.#fetcher = fetcher;
    this.#origin = origin;
  }

  async menu(path: string): Promise<MenuLine[]> {
    const { body } = await this.#ask(path);
    const lines: MenuLine[] = [];
    for await (const { name = '', type, address } of readOpmlList(inOnePiece(body)))
      lines.push({ name, isStation: type === 'audio', address });
    return lines;
  }

  /** Where the sound is, the best first. */
  async tune(station: MenuLine): Promise<string[]> {
    const { pathname, search } = new URL(station.address);
    const { body, address } = await this.#ask(`${pathname}${search}`);
    return parsePlaylist('m3u', body.toString(), address);
  }

  async #ask(path: string): Promise<Fetched> {
    const answer = await this.#fetcher.fetch(`${this.#origin}${path}`, {
      deadlineMs: DEADLINE_MS,
      mostRedirects: 0,
    });
    if (answer.status !== 200) throw new Error(`${path} was answered with status ${answer.status}`);
    return answer;
  }
}

async function* inOnePiece(body: Buffer): AsyncGenerator<Uint8Array> {
  yield body;
}
