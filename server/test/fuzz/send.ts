import { type Agent, request } from 'node:http';
import type { FuzzCall } from './calls.ts';
import type { ReceivedAnswer } from './check-answer.ts';

export interface Outcome extends ReceivedAnswer {
  elapsedMs: number;
  /** What the body is compressed by, if it is. */
  encoding: string | undefined;
}

/** Sends a call as it is and gives the whole answer. */
export function send(
  origin: string,
  agent: Agent,
  { method, target, form, headers }: FuzzCall,
): Promise<Outcome> {
  const { promise, resolve, reject } = Promise.withResolvers<Outcome>();
  const started = performance.now();
  const { hostname, port } = new URL(origin);
  const length = form === undefined ? {} : { 'content-length': String(Buffer.byteLength(form, 'latin1')) };
  const call = request({ hostname, port, agent, method, path: target, headers: { ...headers, ...length } });
  call.setTimeout(10_000, () => call.destroy(new Error('no answer in 10 s')));
  call.once('error', reject);
  call.once('response', (response) => {
    const chunks: Buffer[] = [];
    response.on('data', (bytes: Buffer) => void chunks.push(bytes));
    response.once('error', reject);
    response.once('end', () =>
      resolve({
        status: response.statusCode ?? 0,
        contentType: response.headers['content-type'] ?? '',
        body: Buffer.concat(chunks),
        encoding: response.headers['content-encoding'],
        elapsedMs: performance.now() - started,
      }),
    );
  });
  call.end(form === undefined ? undefined : Buffer.from(form, 'latin1'));
  return promise;
}
