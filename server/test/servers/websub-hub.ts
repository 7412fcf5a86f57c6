import { createHmac, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface HubOptions {
  method?: 'sha1' | 'sha256' | 'sha384' | 'sha512';
  /** What it grants; undefined is what is asked for. */
  leaseSeconds?: number;
  /** Answers the question itself; undefined takes it. */
  answer?: (response: ServerResponse) => void;
  /** Tells the subscriber that it will not. */
  denies?: boolean;
  /** Asks whether it was meant before it answers, as older hubs do. */
  verifiesFirst?: boolean;
}

interface Held {
  topic: string;
  callback: string;
  secret: string;
}

/** A hub as the W3C Recommendation has it: takes a subscription, verifies the intent, signs what it delivers. */
export class TestHub implements AsyncDisposable {
  readonly asked: URLSearchParams[] = [];
  /** What the subscriber said when it was asked whether it meant it. */
  readonly verifications: { status: number; body: string; challenge: string }[] = [];
  readonly subscriptions = new Map<string, Held>();
  options: HubOptions;
  readonly #server: Server;
  #settled: Promise<void> = Promise.resolve();

  private constructor(server: Server, options: HubOptions) {
    this.#server = server;
    this.options = options;
    server.on('request', (request, response) => void this.#receive(request, response));
  }

  static async start(options: HubOptions = {}, host = '127.0.0.2'): Promise<TestHub> {
    const server = createServer();
    server.listen(0, host);
    await once(server, 'listening');
    return new TestHub(server, options);
  }

  get port(): number {
    // oxlint-disable-next-line no-unsafe-type-assertion -- a server on a port has such an address
    return (this.#server.address() as AddressInfo).port;
  }

  /** When everything it was asked has been verified or denied. */
  settled(): Promise<void> {
    return this.#settled;
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const form = new URLSearchParams(Buffer.concat(chunks).toString());
    this.asked.push(form);
    if (this.options.answer) return this.options.answer(response);
    if (this.options.verifiesFirst) await this.#decide(form);
    response.writeHead(202).end();
    if (!this.options.verifiesFirst) this.#settled = this.#decide(form);
  }

  async #decide(form: URLSearchParams): Promise<void> {
    const callback = form.get('hub.callback') ?? '';
    const topic = form.get('hub.topic') ?? '';
    if (this.options.denies) {
      await call(callback, { 'hub.mode': 'denied', 'hub.topic': topic, 'hub.reason': 'not today' });
      return;
    }
    const challenge = randomBytes(16).toString('hex');
    const { leaseSeconds = form.get('hub.lease_seconds') } = this.options;
    const answer = await call(callback, {
      'hub.mode': 'subscribe',
      'hub.topic': topic,
      'hub.challenge': challenge,
      'hub.lease_seconds': String(leaseSeconds),
    });
    const body = await answer.text();
    this.verifications.push({ status: answer.status, body, challenge });
    if (answer.ok && body === challenge)
      this.subscriptions.set(topic, { topic, callback, secret: form.get('hub.secret') ?? '' });
  }

  /** Tells the subscriber of a topic what it has become. */
  async publish(topic: string, content: string): Promise<number> {
    const held = this.subscriptions.get(topic);
    if (!held) throw new Error(`nobody has subscribed to ${topic}`);
    const answer = await fetch(held.callback, {
      method: 'POST',
      body: content,
      headers: {
        'content-type': 'application/rss+xml',
        link: `<http://hub.radio-haven.net/>; rel="hub", <${topic}>; rel="self"`,
        'x-hub-signature': this.sign(held.secret, content),
      },
    });
    await answer.text();
    return answer.status;
  }

  sign(secret: string, content: string | Buffer): string {
    const { method = 'sha1' } = this.options;
    return `${method}=${createHmac(method, secret).update(content).digest('hex')}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await this.#settled.catch(() => undefined);
  }
}

function call(callback: string, query: Record<string, string>): Promise<Response> {
  const url = new URL(callback);
  for (const [name, value] of Object.entries(query)) url.searchParams.append(name, value);
  return fetch(url);
}
