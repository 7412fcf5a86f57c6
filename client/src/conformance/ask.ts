import { Agent, type IncomingMessage, request as requestPlainly } from 'node:http';
import { Agent as SecureAgent, request as requestSecurely } from 'node:https';
import { curlLine, type Asked, type Reply } from './reply.ts';

/** No menu is larger; what is, is cut off here and told. */
const MAX_BYTES = 8 * 1024 * 1024;

/** The request that could not be made at all, with what to do about it. */
export class Unreachable extends Error {
  override name = 'Unreachable';
  readonly repeat: string;

  constructor(message: string, request: Asked) {
    super(message);
    this.repeat = curlLine(request);
  }
}

/** A server may end a connection that nobody used for a while, just as it is used again. */
class EndedConnection extends Error {}

/** Makes requests exactly as written (no redirect is followed, nothing is decompressed), each with a deadline. */
export class Asker {
  readonly #plain = new Agent({ keepAlive: true, maxSockets: 4 });
  // A device at home speaks to certificates nobody signed; whether they are valid is not what is asked here.
  readonly #secure = new SecureAgent({ keepAlive: true, maxSockets: 4, rejectUnauthorized: false });
  readonly #timeoutMs: number;

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
  }

  async get(asked: Asked): Promise<Reply> {
    const signal = AbortSignal.timeout(this.#timeoutMs);
    try {
      const message = await this.#sendAnew(asked, signal);
      const body = await readAll(message);
      return { request: asked, status: message.statusCode ?? 0, headers: message.headers, body };
    } catch (error) {
      throw new Unreachable(explain(error, signal, asked.url, this.#timeoutMs), asked);
    }
  }

  /** On another connection where the server has ended one that was kept; each is tried once at most. */
  async #sendAnew(asked: Asked, signal: AbortSignal): Promise<IncomingMessage> {
    try {
      return await this.#send(asked, signal);
    } catch (error) {
      if (!(error instanceof EndedConnection)) throw error;
      return this.#sendAnew(asked, signal);
    }
  }

  #send(asked: Asked, signal: AbortSignal): Promise<IncomingMessage> {
    const { protocol, hostname, port } = new URL(asked.url);
    const path = asked.url.slice(asked.url.indexOf('/', protocol.length + 2));
    const isSecure = protocol === 'https:';
    const make = isSecure ? requestSecurely : requestPlainly;
    const agent = isSecure ? this.#secure : this.#plain;
    const method = asked.form === undefined ? 'GET' : 'POST';
    const headers =
      asked.form === undefined ? asked.headers : { ...asked.headers, ...formHeaders(asked.form) };
    const options = { host: hostname.replaceAll(/[[\]]/g, ''), port, path, method, headers };
    return new Promise((resolve, reject) => {
      const request = make({ ...options, agent, signal }, resolve);
      const fail = (error: Error): void => {
        const isEnded = request.reusedSocket && 'code' in error && error.code === 'ECONNRESET';
        reject(isEnded ? new EndedConnection() : error);
      };
      request.on('error', fail).end(asked.form);
    });
  }

  close(): void {
    this.#plain.destroy();
    this.#secure.destroy();
  }
}

const formHeaders = (form: string): Record<string, string> => ({
  'Content-Type': 'application/x-www-form-urlencoded',
  'Content-Length': String(Buffer.byteLength(form)),
});

async function readAll(message: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of message) {
    parts.push(part);
    bytes += part.length;
    if (bytes > MAX_BYTES) throw new Error(`the answer is larger than ${MAX_BYTES} bytes`);
  }
  return Buffer.concat(parts);
}

const ADVICE: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'nothing listens there: start the server, or correct host and port'],
  ['ENOTFOUND', 'the host name is unknown: correct it, or add it to DNS'],
  ['EAI_AGAIN', 'the host name could not be looked up: try again, or give an address'],
  ['ECONNRESET', 'the server cut the connection before its answer was whole'],
  ['EHOSTUNREACH', 'no way leads to that host: check the network'],
  ['ENETUNREACH', 'no way leads to that host: check the network'],
  ['EPROTO', 'the port does not speak TLS: use http://, or the port of HTTPS'],
]);

function explain(error: unknown, signal: AbortSignal, url: string, timeoutMs: number): string {
  const { origin } = new URL(url);
  if (signal.aborted)
    return `${origin} did not answer within ${timeoutMs} ms; give it longer with --timeout, or find out why it is slow`;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const said = error instanceof Error ? error.message : String(error);
  return `${origin} gave no answer (${code || said}): ${ADVICE.get(code) ?? said}`;
}
