/** Listeners for the bench: opens connections to an address, discards what comes, and says how much that was when asked. */
import { connect } from 'node:net';
import { createInterface } from 'node:readline';

const [, , port = '', count = '1', ...paths] = process.argv;
/** Faster, and servers with a short queue of connections refuse some. */
const EACH_MS = 2;

let [bytes, open] = [0, 0];
const heard = new Uint32Array(Number(count));
/** One buffer for all: nobody looks at what is in it. */
const landing = Buffer.alloc(256 * 1024);

async function listen(number: number): Promise<void> {
  const path = paths[number % paths.length];
  const socket = connect({
    port: Number(port),
    host: '127.0.0.1',
    onread: {
      buffer: landing,
      callback: (size) => {
        bytes += size;
        heard[number]! += size;
        return true;
      },
    },
  });
  socket.on('connect', () => {
    open += 1;
    socket.write(`GET ${path} HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n`);
  });
  socket.on('error', () => undefined);
  socket.on('close', () => (open -= 1));
  await new Promise((done) => setTimeout(done, EACH_MS));
}

for (let number = 0; number < Number(count); number += 1) await listen(number);
console.log(JSON.stringify({ open }));
createInterface({ input: process.stdin }).on('line', () => {
  console.log(JSON.stringify({ bytes, open, silent: heard.filter((each) => each === 0).length }));
  heard.fill(0);
});
