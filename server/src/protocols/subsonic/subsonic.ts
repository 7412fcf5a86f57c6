import type { Aliases } from '../../core/directory/lookup/by-any-id.ts';
import { Finder } from '../../core/search/finder.ts';
import { type BodyCall, bodyEndpoint } from '../../net/http/endpoints/body-endpoint.ts';
import type { Failure } from '../../net/http/failure.ts';
import type { Reply } from '../../net/http/respond.ts';
import type { Protocol } from '../../net/http/server.ts';
import { Fault, Refusal } from '../../lib/fault.ts';
import { saveInTime } from '../../storage/cache/in-time.ts';
import { isRedirect, methodCall, METHODS } from './methods.ts';
import { Channels } from './podcasts.ts';
import type { RadioDeps } from './radio.ts';
import { readSubsonicRequest, type SubsonicRequest } from './read-request.ts';
import {
  CODES,
  findSubsonicLogin,
  type SubsonicAccounts,
  SubsonicError,
  subsonicSecrets,
} from './sign-in.ts';
import { errorNode, okNode, type ResponseNode, writeResponse } from './write-response.ts';

export interface SubsonicDeps extends Omit<RadioDeps, 'finder'> {
  aliases: Pick<Aliases, 'find'>;
  /** Undefined when the operator has not set up accounts. */
  accounts?: SubsonicAccounts | undefined;
}

const MAX_CONCURRENCY = 64;
const MAX_BODY_BYTES = 64 * 1024;
const ANSWER_MS = 10_000;
const WORK_MS = 8000;

/** For clients that ask before they know anything. */
const EXTENSIONS: ResponseNode = {
  openSubsonicExtensions: [
    { name: 'formPost', versions: [1] },
    { name: 'apiKeyAuthentication', versions: [1] },
  ],
};

/** Subsonic's API: presets as internet radio, podcasts, and the directory as a library of music, for music apps. */
export function subsonic({ accounts, ...given }: SubsonicDeps): Protocol {
  const deps = { ...given, finder: new Finder(given.db), channels: new Channels(given.db) };
  const answer = async (call: BodyCall, request: SubsonicRequest): Promise<Reply> => {
    const { method, format } = request;
    if (method === 'getopensubsonicextensions') return writeResponse(okNode(EXTENSIONS), format);
    if (!accounts)
      throw new SubsonicError(CODES.other, 'There are no accounts here: the operator must set MEMBER_KEY');
    const login = await findSubsonicLogin(call, request, accounts);
    const run = METHODS.get(method);
    if (!run)
      throw new SubsonicError(
        CODES.other,
        `There is no method ${method.slice(0, 40)} here; docs/apps.md lists those there are`,
      );
    const owner = { pool: accounts.pool, accountId: login.accountId, now: call.now };
    const made = await saveInTime(() => run(methodCall({ request, call, login, owner, deps })), WORK_MS);
    return isRedirect(made) ? redirect(made.location) : writeResponse(okNode(made), format);
  };
  return bodyEndpoint({
    paths: ['/rest/*'],
    methods: ['GET', 'HEAD', 'POST'],
    maxBodyBytes: MAX_BODY_BYTES,
    maxConcurrency: MAX_CONCURRENCY,
    timeoutMs: ANSWER_MS,
    nameOf: (call) => {
      const { method } = readSubsonicRequest(call);
      return METHODS.has(method) ? method : 'other';
    },
    secretsOf: (call) => subsonicSecrets(readSubsonicRequest(call)),
    answer: async (call) => {
      const request = readSubsonicRequest(call);
      try {
        return await answer(call, request);
      } catch (error) {
        if (error instanceof SubsonicError)
          return writeResponse(errorNode(error.code, error.message), request.format);
        // A fault of the core, such as too many presets, is an answer; what turns a caller away is HTTP's own.
        if (!(error instanceof Fault) || error instanceof Refusal || error.status >= 500) throw error;
        return writeResponse(errorNode(CODES.other, error.message), request.format);
      }
    },
    refuse,
  });
}

const refuse = ({ status, message }: Failure, call: BodyCall): Reply => ({
  ...writeResponse(errorNode(CODES.other, message), readSubsonicRequest(call).format),
  status,
});

const redirect = (location: string): Reply => ({
  status: 302,
  contentType: 'text/plain; charset=utf-8',
  body: Buffer.alloc(0),
  lifetime: { noStore: true },
  // A header has no other characters.
  location: location.toWellFormed().replaceAll(/[^!-~]+/g, encodeURIComponent),
});
