import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:tls';

/** A line of a menu, as the radio keeps it. */
interface Line {
  id: readonly string[];
  title: string;
  url: string;
}

/** What the radio shows of a station, and what it plays. */
interface Radio {
  title: string;
  streams: readonly { url: string; codec: { name: string; bitrate: number } }[];
}

const HOST = 'airable.wifiradiofrontier.com';
const CODECS = ['mp3', 'aac'];

/**
 * A radio with a newer Frontier module, which reads as literally as its firmware: HTTP/1.0 over TLS to the one name that it
 * knows, a request a connection, the two services by their ids, stations by an address that it builds itself.
 */
export class AirableRadio {
  readonly #port: number;
  readonly #language: string;

  constructor(port: number, language = 'en-GB') {
    this.#port = port;
    this.#language = language;
  }

  /** Switched on: the first menu of its radio service. */
  async boot(): Promise<Line[]> {
    const root = await this.#get(`https://${HOST}/`);
    assert.deepEqual(root['id'], ['airable', 'directory', 'index']);
    const services = linesOf(root);
    assert.deepEqual(
      services.map(({ id }) => id),
      [
        ['frontiersmart', 'service', 'radio'],
        ['frontiersmart', 'service', 'feed'],
      ],
    );
    return this.open(services[0]!);
  }

  async open({ url }: Pick<Line, 'url'>): Promise<Line[]> {
    const directory = await this.#get(url);
    assert.deepEqual(idOf(directory).slice(0, 2), ['frontiersmart', 'directory']);
    return linesOf(directory);
  }

  /** What stands in a menu and in the pages that its last line leads on to. */
  async openAll(line: Pick<Line, 'url'>): Promise<Line[]> {
    const lines = await this.open(line);
    const more = lines.at(-1);
    return more?.id[2]?.endsWith('-more') === true
      ? [...lines.slice(0, -1), ...(await this.openAll(more))]
      : lines;
  }

  search(text: string): Promise<Line[]> {
    return this.open({ url: `https://${HOST}/frontiersmart/radios/search?q=${encodeURIComponent(text)}` });
  }

  /** A station as its page shows it: by the id alone, whatever address the menu had for it. */
  async show(id: string): Promise<Radio> {
    assert.match(id, /^\d{16}$/);
    const radio = await this.#get(`https://${HOST}/frontiersmart/radio/${id}`);
    assert.deepEqual(idOf(radio), ['frontiersmart', 'radio', id]);
    const { title, language, place, streams } = radio;
    assert.ok(typeof title === 'string' && title !== '');
    for (const part of [language, place]) assert.ok(isObject(part) && typeof part['title'] === 'string');
    assert.ok(Array.isArray(streams));
    // oxlint-disable-next-line no-unsafe-type-assertion -- each of them is looked at before it is played
    return { title, streams: streams as Radio['streams'] };
  }

  /** Where it listens to its first stream; undefined where there is none that it plays. */
  async play(id: string): Promise<string | undefined> {
    const { streams } = await this.show(id);
    const [first] = streams;
    if (!first) return undefined;
    assert.ok(CODECS.includes(first.codec.name), first.codec.name);
    const redirect = await this.#get(first.url);
    assert.equal(idOf(redirect)[1], 'redirect');
    assert.ok(isObject(redirect['content']) && typeof redirect['url'] === 'string');
    assert.match(redirect['url'], /^https?:\/\/\S+$/);
    return redirect['url'];
  }

  async #get(url: string): Promise<Record<string, unknown>> {
    const { host, pathname, search } = new URL(url);
    assert.equal(host, HOST, 'it knows no other host');
    const socket = connect({ port: this.#port, host: '127.0.0.1', rejectUnauthorized: false });
    const pieces: Buffer[] = [];
    socket.on('data', (piece: Buffer) => pieces.push(piece));
    socket.write(
      [
        `GET ${pathname}${search} HTTP/1.0`,
        `Host: ${HOST}`,
        'Authorization: QUJDREVGMDEyMzQ1OjAxMjM0NTY3ODlhYmNkZWYwMTIzNDU2Nzg5YWJjZGVm',
        'Accept: audio/aac;mp3;dash',
        `Accept-Language: ${this.#language}`,
        'User-Agent: ir-cui-FS2340-0000-0001',
        'Connection: Close',
        '\r\n',
      ].join('\r\n'),
    );
    await once(socket, 'close');
    const answer = Buffer.concat(pieces).toString();
    const end = answer.indexOf('\r\n\r\n');
    const [head, body] = [answer.slice(0, end), answer.slice(end + 4)];
    assert.match(head, /^HTTP\/1\.[01] 200 /, answer.slice(0, 500));
    assert.doesNotMatch(head, /^(?:transfer-encoding|content-encoding):/im);
    assert.equal(Number(/^content-length: (\d+)$/im.exec(head)?.[1]), Buffer.byteLength(body));
    const value: unknown = JSON.parse(body);
    assert.ok(isObject(value));
    return value;
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function idOf({ id }: Record<string, unknown>): string[] {
  assert.ok(Array.isArray(id) && id.length === 3 && id.every((part) => typeof part === 'string' && part));
  return id;
}

const KINDS = ['directory', 'radio', 'service'];

function linesOf({ content }: Record<string, unknown>): Line[] {
  assert.ok(isObject(content) && Array.isArray(content['entries']));
  const lines = content['entries'].map((entry: unknown): Line => {
    assert.ok(isObject(entry));
    const { title, url } = entry;
    const id = idOf(entry);
    assert.ok(KINDS.includes(id[1] ?? ''), `a line of the kind ${id[1]}`);
    assert.ok(
      typeof title === 'string' && title.trim() !== '' && !/\p{Cc}/u.test(title) && title.length <= 200,
    );
    assert.ok(typeof url === 'string' && url.startsWith(`https://${HOST}/`));
    return { id, title, url };
  });
  assert.equal(new Set(lines.map(({ id }) => id.join(' '))).size, lines.length, 'a line stands there twice');
  return lines;
}
