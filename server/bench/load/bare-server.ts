/** The bare engine: node:http with one prepared body, read from a file, for every request; `close` after each. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const [file = '', close] = process.argv.slice(2);
const body = readFileSync(file);
const head = {
  'Content-Type': 'text/xml; charset=utf-8',
  'Content-Length': body.length,
  ...(close === 'close' && { Connection: 'close' }),
};
const server = createServer((_request, response) => {
  response.writeHead(200, head);
  response.end(body);
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  console.log(JSON.stringify({ port: typeof address === 'object' ? address?.port : 0 }));
});
process.on('SIGTERM', () => process.exit(0));
