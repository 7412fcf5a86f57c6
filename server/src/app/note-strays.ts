import type { Radios } from '../core/devices/radios.ts';
import { profileOfUserAgent, SAFE_PROFILE } from '../core/devices/profiles.ts';
import { strayLabel } from '../core/devices/why-not.ts';
import { readPeer } from '../net/http/caller/peer.ts';
import type { Protocol } from '../net/http/server.ts';

/** Records calls of paths that nobody has: devices made for other directories are known by them. */
export const noteStrays =
  (radios: Pick<Radios, 'note'>): Protocol =>
  ({ strays, context }) => {
    strays.unshift((_error, request) => {
      if (!request.is404) return false;
      const { headers } = request;
      const at = context.clock.epochMs();
      const what = strayLabel(request.url);
      radios.note(
        {
          address: readPeer(request.raw, context.network).address,
          partnerId: undefined,
          userAgent: headers['user-agent'],
          profile: () => (profileOfUserAgent(headers['user-agent'] ?? '') ?? SAFE_PROFILE).id,
        },
        () => ({ at, what, status: 404 }),
      );
      return false;
    });
  };
