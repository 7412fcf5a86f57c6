import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request as plainRequest } from 'node:http';
import { Agent, request as secureRequest } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import { makeAuthority } from '../../house/authority.ts';
import { type ServiceProcess, startService } from '../../processes/service-process.ts';
import type { CanaryRequest } from './canary-requests.ts';

export interface CanaryAnswer {
  status: number;
  /** With the headers. */
  whole: string;
}

export interface CanaryService extends AsyncDisposable {
  service: ServiceProcess;
  ask: (request: CanaryRequest) => Promise<CanaryAnswer>;
  /** What it tried to send by mail. */
  letters: readonly string[];
}

/** `longwave serve` as an operator runs it who wants to see everything: HTTPS, mail, and the log at its most talkative. */
export async function startCanaryService(databaseUrl: string, mailPassword: string): Promise<CanaryService> {
  await using opened = new AsyncDisposableStack();
  const folder = opened.adopt(mkdtempSync(join(tmpdir(), 'longwave-canary-')), (made) =>
    rmSync(made, { recursive: true }),
  );
  const { authorityFile, certFile, keyFile } = makeAuthority(folder, 'localhost');
  const mail = opened.use(await startSurlyMailServer());
  const service = opened.use(
    await startService(databaseUrl, {
      MEMBER_KEY: 'a key for drills, which protects nobody',
      LOG_LEVEL: 'trace',
      HTTPS_PORT: '0',
      TLS_CERT_FILE: certFile,
      TLS_KEY_FILE: keyFile,
      TRUSTED_PROXIES: '127.0.0.1/32',
      MAIL_URL: `smtp://postman:${mailPassword}@127.0.0.1:${mail.port}`,
      MAIL_FROM: 'radio@example.net',
    }),
  );
  const agent = opened.adopt(new Agent({ keepAlive: true, ca: readFileSync(authorityFile) }), (made) =>
    made.destroy(),
  );
  const kept = opened.move();
  return {
    service,
    letters: mail.letters,
    ask: (wanted) => send(wanted, service, agent),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

async function send(
  { plain, method, target, headers, body }: CanaryRequest,
  service: ServiceProcess,
  agent: Agent,
) {
  const options = { method: method ?? 'GET', path: target, headers: headers ?? {}, host: '127.0.0.1' };
  const sent = plain
    ? plainRequest({ ...options, port: new URL(service.origin).port })
    : secureRequest({ ...options, port: service.httpsPort, agent, servername: 'localhost' });
  sent.setTimeout(15_000, () => sent.destroy(new Error('no answer in time')));
  sent.end(body);
  const [response] = await once(sent, 'response');
  return { status: response.statusCode, whole: JSON.stringify(response.rawHeaders) + (await text(response)) };
}

interface MailServer extends AsyncDisposable {
  port: number;
  letters: string[];
}

/** Reads every letter, refuses it, and says for whom it was, as mail servers do. */
async function startSurlyMailServer(): Promise<MailServer> {
  const letters: string[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disableReverseLookup: true,
    allowInsecureAuth: true,
    hideSTARTTLS: true,
    onAuth: (_auth, _session, done) => done(null, { user: 'postman' }),
    onData: (stream, { envelope }, done) => {
      const refuse = (letter: string): void => {
        letters.push(letter);
        done(new Error(`no room for ${envelope.rcptTo.map(({ address }) => address).join()}: ${letter}`));
      };
      void text(stream).then(refuse);
    },
  });
  server.on('error', () => undefined);
  const listening = server.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  const address = listening.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    port: address.port,
    letters,
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(resolve)),
  };
}
