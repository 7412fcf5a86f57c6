/** Serves one file under every address, in whatever part of it is asked for, as hosts of topics do. */
import { createReadStream, statSync } from 'node:fs';
import { createServer } from 'node:http';

const [, , file = '', address = ''] = process.argv;
const { size } = statSync(file);

createServer(({ headers: { range } }, response) => {
  const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(range ?? '') ?? [];
  const [start, end] = [Number(from ?? 0), to ? Number(to) : size - 1];
  response.writeHead(from === undefined ? 200 : 206, {
    'content-type': 'audio/mpeg',
    'accept-ranges': 'bytes',
    'content-length': end - start + 1,
    ...(from !== undefined && { 'content-range': `bytes ${start}-${end}/${size}` }),
    // For the meter, which looks into the sound.
    'access-control-allow-origin': '*',
  });
  createReadStream(file, { start, end })
    .on('error', () => response.destroy())
    .pipe(response);
}).listen(80, address, () => console.log('open'));
