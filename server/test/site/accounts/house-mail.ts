import { join } from 'node:path';
import type { House } from '../../house/house.ts';
import { waitFor, waitUntil } from '../../time/wait-until.ts';
import type { ReceivedMail } from '../../servers/mail-server.ts';

/** A house has a network of its own, and nobody else in it has this port. */
const PORT = '2525';

/** How the service is told of the mail server. */
export const MAIL_ENV = { MAIL_URL: `smtp://127.0.0.1:${PORT}`, MAIL_FROM: 'radio@mail.example' };

/** Gives the letters to one mailbox, once there are so many. */
export type Mailbox = (to: string, count?: number) => Promise<string[]>;

export async function openMail(house: House): Promise<Mailbox> {
  const server = house.start(process.execPath, [join(import.meta.dirname, 'serve-mail.ts'), PORT]);
  await waitFor(server, 'the mail server', async () => server.said().includes('open') || undefined);
  return (to, count = 1) =>
    waitUntil(`${count} letters to ${to}`, async () => {
      const lines = server
        .said()
        .split('\n')
        .filter((line) => line.startsWith('{') && line.endsWith('}'));
      const letters = lines.map((line): ReceivedMail => JSON.parse(line));
      const texts = letters.filter((letter) => letter.to.includes(to)).map(({ text }) => text);
      return texts.length >= count ? texts : undefined;
    });
}
