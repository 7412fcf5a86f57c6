/** Asks a relay for addresses that nobody signed, from many connections at once, for some seconds; prints the answers by status. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';

const [, , port = '', seconds = '', path = ''] = process.argv;
const AT_ONCE = 32;
const endMs = performance.now() + 1000 * Number(seconds);
const answers: Record<string, number> = {};

/** A good address with another signature each time. */
const forged = (): string =>
  path.replace(/\.[\w-]{16}\.mp3$/, () => `.${randomBytes(12).toString('base64url')}.mp3`);

async function ask(): Promise<void> {
  const socket = connect(Number(port), '127.0.0.1', () => socket.write(`GET ${forged()} HTTP/1.0\r\n\r\n`));
  let said = '';
  socket
    .on('error', () => undefined)
    .on('data', (piece: Buffer) => (said ||= piece.toString('latin1', 0, 12)));
  await once(socket, 'close');
  answers[said] = (answers[said] ?? 0) + 1;
}

await Promise.all(
  Array.from({ length: AT_ONCE }, async () => {
    while (performance.now() < endMs) await ask();
  }),
);
console.log(JSON.stringify(answers));
