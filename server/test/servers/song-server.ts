import { once } from 'node:events';
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** A server of stations: what it answers is set by path, and what it was asked is counted by path. */
export interface SongServer extends AsyncDisposable {
  port: number;
  origin: string;
  answers: Map<string, Answer>;
  /** For the paths that nothing was set for. */
  otherwise: Answer;
  asked: Map<string, number>;
}

export async function startSongServer(): Promise<SongServer> {
  const answers = new Map<string, Answer>();
  const asked = new Map<string, number>();
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    asked.set(path, (asked.get(path) ?? 0) + 1);
    (answers.get(path) ?? started.otherwise)(request, response);
  });
  server.listen(0, '0.0.0.0', 4096);
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const started: SongServer = {
    port,
    origin: `http://127.0.0.1:${port}`,
    answers,
    asked,
    otherwise: (_request, response) => void response.writeHead(404).end('no such page'),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return started;
}

export const METAINT = 1024;
const FRAME = Buffer.alloc(METAINT, Buffer.from([0xff, 0xfb, 0x90, 0x64]));

/** Sound with a title in it, as long as anybody listens. */
export const stream =
  (titleOf: () => string | undefined, headers: Record<string, string> = {}): Answer =>
  (request, response) => {
    // Who asked may be gone before it is answered.
    if (response.destroyed) return;
    const hasTitles = request.headers['icy-metadata'] === '1' && titleOf() !== undefined;
    response.writeHead(200, {
      'content-type': 'audio/mpeg',
      ...(hasTitles && { 'icy-metaint': String(METAINT) }),
      ...headers,
    });
    const send = (): void =>
      void response.write(hasTitles ? Buffer.concat([FRAME, titleBlock(titleOf() ?? '')]) : FRAME);
    send();
    const timer = setInterval(send, 50);
    response.on('close', () => clearInterval(timer));
  };

function titleBlock(title: string): Buffer {
  const text = Buffer.from(`StreamTitle='${title}';`);
  const block = Buffer.alloc(1 + Math.ceil(text.length / 16) * 16);
  block[0] = (block.length - 1) / 16;
  text.copy(block, 1);
  return block;
}

export const page =
  (body: () => string | Buffer, type = 'application/json'): Answer =>
  (_request, response) =>
    void response.writeHead(200, { 'content-type': type, connection: 'close' }).end(body());
