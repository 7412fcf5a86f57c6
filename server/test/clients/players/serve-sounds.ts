/** Serves the files of a folder as a station would, and says of each call who made it and for what, a line each. */
import { createReadStream, existsSync } from 'node:fs';
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import { extname, join } from 'node:path';

const [, , folder = '', address = '127.0.0.1'] = process.argv;

const TYPES: Readonly<Record<string, string>> = {
  '.mp3': 'audio/mpeg',
  '.aac': 'audio/aac',
  '.ogg': 'audio/ogg',
  '.opus': 'audio/ogg',
  '.flac': 'audio/flac',
  '.wav': 'audio/wav',
  '.wma': 'audio/x-ms-wma',
  '.ts': 'video/mp2t',
  '.m3u8': 'application/vnd.apple.mpegurl',
  '.m3u': 'audio/x-mpegurl',
  '.pls': 'audio/x-scpls',
  '.html': 'text/html',
};

function answer({ url = '/', headers }: IncomingMessage, response: ServerResponse): void {
  console.log(JSON.stringify({ url, agent: headers['user-agent'] }));
  const file = join(folder, url.replace(/^\/|[?#].*$/g, '').replaceAll('/', ''));
  if (existsSync(file)) {
    response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' });
    createReadStream(file).pipe(response);
  } else {
    response.writeHead(404).end();
  }
}

createServer(answer).listen(80, address, () => console.log('"serving"'));
