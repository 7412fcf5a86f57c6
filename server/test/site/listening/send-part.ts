import { createReadStream, statSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** Sends a file of sound, or the part of it that is asked for. */
export function sendPart(
  file: string,
  { headers: { range } }: IncomingMessage,
  response: ServerResponse,
): void {
  const { size } = statSync(file);
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
}
