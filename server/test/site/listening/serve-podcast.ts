/** The host of a podcast: its feed as it is in a folder just now, and its episodes, in whatever part is asked for. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { basename, join } from 'node:path';
import { sendPart } from './send-part.ts';

const [, , folder = '', address = ''] = process.argv;

createServer((request, response) => {
  const file = join(folder, basename(new URL(request.url ?? '', 'http://host').pathname));
  if (file.endsWith('.xml'))
    response.writeHead(200, { 'content-type': 'application/rss+xml' }).end(readFileSync(file));
  else sendPart(file, request, response);
}).listen(80, address, () => console.log('open'));
