import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Endpoint } from './endpoint.ts';

/** Answers a call of an endpoint that has no body to read. */
export type Answerer = (endpoint: Endpoint, request: IncomingMessage, response: ServerResponse) => void;

/**
 * A radio's GET goes straight to its endpoint; everything else (forms, other methods, patterns, what does not exist)
 * goes through the framework, whose routing and request objects cost as much as a third of the whole answer.
 */
export function directly(
  endpoints: readonly Endpoint[],
  answer: Answerer,
  otherwise: RequestListener,
): RequestListener {
  const byPath = new Map<string, Endpoint>();
  for (const endpoint of endpoints) {
    for (const path of endpoint.paths) {
      if (path.includes(':') || path.includes('*')) continue;
      byPath.set(path, endpoint);
      byPath.set(path.toLowerCase(), endpoint);
    }
  }
  return (request, response) => {
    const endpoint = request.method === 'GET' ? byPath.get(pathOf(request.url ?? '')) : undefined;
    if (endpoint && !hasBody(request)) answer(endpoint, request, response);
    else otherwise(request, response);
  };
}

function pathOf(url: string): string {
  const end = url.indexOf('?');
  return end === -1 ? url : url.slice(0, end);
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
