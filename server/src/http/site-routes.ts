import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Caller, readCaller } from './caller.ts';
import type { Shared } from './exchange.ts';
import { requireOwnPage } from './own-page.ts';
import { readCall } from './reading.ts';
import { ReceivedCall } from './received-call.ts';
import { overloaded } from './refusal.ts';
import { MOST_BODY_BYTES } from './site-body.ts';
import type { SiteEndpoint } from './site-endpoint.ts';
import { SiteExchange } from './site-exchange.ts';
import { SiteFault } from './site-fault.ts';

/** Apart from the radios' calls, so that bodies which drip in take no place of theirs. */
const MOST_AT_ONCE = 200;
const PREFIX = '/listen/api/';

export function addSiteEndpoints(
  app: FastifyInstance,
  endpoints: readonly SiteEndpoint[],
  shared: Shared,
): void {
  if (endpoints.length === 0) return;
  const busy = { atOnce: 0 };
  // In a room of its own: elsewhere a body is a form.
  void app.register(async (room) => {
    room.removeAllContentTypeParsers();
    const options = { parseAs: 'buffer', bodyLimit: MOST_BODY_BYTES } as const;
    room.addContentTypeParser('*', options, (_request, body, done) => done(null, body));
    room.setErrorHandler((error, request, reply) => {
      const exchange = new SiteExchange(shared, 'other', request, reply);
      void exchange.fail(error);
    });
    for (const endpoint of endpoints) addRoute(room, endpoint, shared, busy);
    room.all(`${PREFIX}*`, (request, reply) =>
      new SiteExchange(shared, 'other', request, reply).fail(unknownCall()),
    );
  });
}

function addRoute(
  room: FastifyInstance,
  endpoint: SiteEndpoint,
  shared: Shared,
  busy: { atOnce: number },
): void {
  const { method, path: url } = endpoint;
  room.route({
    method,
    url,
    exposeHeadRoute: false,
    // Before the body is read: who may not go on is not listened to.
    onRequest: (request, _reply, done) => {
      try {
        if (busy.atOnce >= MOST_AT_ONCE) throw overloaded();
        const caller = admit(request, url, shared);
        requireOwnPage({ method, headers: request.headers, caller });
        done();
      } catch (error) {
        // oxlint-disable-next-line no-unsafe-type-assertion -- what is thrown here is ours
        done(error as Error);
      }
    },
    handler: async (request, reply) => {
      busy.atOnce += 1;
      try {
        await new SiteExchange(shared, url, request, reply).run(endpoint);
      } finally {
        busy.atOnce -= 1;
      }
    },
  });
}

function admit(request: FastifyRequest, path: string, shared: Shared): Caller {
  const reading = readCall('');
  const caller = readCaller(reading, request.raw, shared.surroundings);
  shared.admit?.(new ReceivedCall(reading, caller, path, request.raw, shared.clock));
  return caller;
}

const unknownCall = (): SiteFault =>
  new SiteFault(
    404,
    'site.unknownCall',
    'There is no such call; docs/site-api.md lists them with their methods',
  );
