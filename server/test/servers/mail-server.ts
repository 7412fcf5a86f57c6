import { once } from 'node:events';
import { SMTPServer } from 'smtp-server';
import { type Log, createLog } from '../../src/lib/log.ts';
import { Mailer, type MailerOptions } from '../../src/net/mailer.ts';
import { waitUntil } from '../time/wait-until.ts';
import { keepLog } from '../processes/keep-log.ts';

/** As a mail server received it, its text put together again. */
export interface ReceivedMail {
  to: string[];
  text: string;
}

export interface MailServer extends AsyncDisposable {
  port: number;
  received: ReceivedMail[];
  /** What is sent through it; what goes wrong is in the lines of its log. */
  mailer: Mailer;
  logLines: string[];
  /** How long it takes to say that it has a letter. */
  delayMs: number;
  /** The letters to one mailbox, the oldest first, once there are so many. */
  letters(to: string, count?: number): Promise<ReceivedMail[]>;
}

/** A mail server on this machine. `refuse` gives what it says to a letter that it does not take. */
export async function openMailServer(
  refuse?: (letter: ReceivedMail) => string | undefined,
  wantedPort = 0,
  more: Partial<MailerOptions> = {},
): Promise<MailServer> {
  const received: ReceivedMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    // It would ask a name server who 127.0.0.1 is, and without one wait for seconds before every letter.
    disableReverseLookup: true,
    onData(stream, session, done) {
      let text = '';
      stream.setEncoding('utf8');
      stream.on('data', (chunk: string) => (text += chunk));
      stream.on('end', () => {
        const to = session.envelope.rcptTo.map(({ address }) => address);
        const letter = { to, text: fromQuotedPrintable(text) };
        const refusal = refuse?.(letter);
        const take = (): void => {
          received.push(letter);
          done(refusal === undefined ? undefined : new Error(refusal));
        };
        if (opened.delayMs > 0) setTimeout(take, opened.delayMs);
        else take();
      });
    },
  });
  server.listen(wantedPort, '127.0.0.1');
  await once(server.server, 'listening');
  const address = server.server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const logLines: string[] = [];
  const mailer = postTo(port, logOf(logLines), more);
  const opened: MailServer = {
    port,
    received,
    mailer,
    logLines,
    delayMs: 0,
    letters: (to, count = 1) =>
      waitUntil(`${count} letters to ${to}`, async () => {
        const found = received.filter((letter) => letter.to.includes(to));
        return found.length >= count ? found : undefined;
      }).catch((error: unknown) => {
        throw new Error(`${count} letters to ${to}: ${logLines.join('') || 'nothing in the log'}`, {
          cause: error,
        });
      }),
    async [Symbol.asyncDispose]() {
      mailer[Symbol.dispose]();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
  return opened;
}

export const postTo = (port: number, log: Log, more: Partial<MailerOptions> = {}): Mailer =>
  new Mailer({
    url: `smtp://127.0.0.1:${port}`,
    from: 'radio@radio.test',
    log,
    // However slow the machine is, a letter that can be sent is.
    silenceMs: 60_000,
    mailMs: 60_000,
    ...more,
  });

const logOf = (lines: string[]): Log =>
  createLog({
    level: 'trace',
    sink: {
      write: (line) => {
        lines.push(line);
        keepLog(line);
      },
    },
  });

/** Lines of a letter are short on the wire; a link goes over several. */
export const fromQuotedPrintable = (text: string): string =>
  /quoted-printable/i.test(text)
    ? decode(
        text
          .replaceAll(/=\r?\n/g, '')
          .replaceAll('%', '%25')
          .replaceAll(/=([0-9A-F]{2})/g, '%$1'),
      )
    : text;

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
