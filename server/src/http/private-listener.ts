import {
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
  createServer,
} from 'node:http';
import type { Metrics } from './metrics.ts';
import type { Readiness } from './readiness.ts';
import { respond } from './respond.ts';

/** What only the operator's own machines may ask: how the process is and what it has counted. */
export function createPrivateServer(limits: ServerOptions, readiness: Readiness, metrics: Metrics): Server {
  return createServer(limits, (request, response) => {
    void answer(request, response, readiness, metrics);
  });
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  readiness: Readiness,
  metrics: Metrics,
): Promise<void> {
  const page = await pageOf(request.url ?? '', readiness, metrics);
  respond(request, response, {
    contentType: 'text/plain; charset=utf-8',
    ...page,
    lifetime: { noStore: true },
  });
}

interface Page {
  status: number;
  body: string;
  contentType?: string;
}

async function pageOf(url: string, readiness: Readiness, metrics: Metrics): Promise<Page> {
  if (url === '/livez') return readiness.live('private');
  if (url === '/readyz') return readiness.ready();
  if (url !== '/metrics') return { status: 404, body: 'Not found\n' };
  try {
    return { status: 200, body: await metrics.registry.metrics(), contentType: metrics.registry.contentType };
  } catch {
    return { status: 500, body: 'The metrics cannot be read\n' };
  }
}
