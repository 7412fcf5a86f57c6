/** The host of a podcast: its feed as it is in a folder just now, and its episodes, in whatever part is asked for. */
import { createReadStream, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { basename, join } from 'node:path';

const [, , folder = '', address = ''] = process.argv;

createServer(({ url = '', headers: { range } }, response) => {
  const file = join(folder, basename(new URL(url, 'http://host').pathname));
  if (file.endsWith('.xml')) {
    response.writeHead(200, { 'content-type': 'application/rss+xml' }).end(readFileSync(file));
    return;
  }
  const { size } = statSync(file);
  const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(range ?? '') ?? [];
  const [start, end] = [Number(from ?? 0), to ? Number(to) : size - 1];
  response.writeHead(from === undefined ? 200 : 206, {
    'content-type': 'audio/mpeg',
    'accept-ranges': 'bytes',
    'content-length': end - start + 1,
    ...(from !== undefined && { 'content-range': `bytes ${start}-${end}/${size}` }),
    'access-control-allow-origin': '*',
  });
  createReadStream(file, { start, end })
    .on('error', () => response.destroy())
    .pipe(response);
}).listen(80, address, () => console.log('open'));
