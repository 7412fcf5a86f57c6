import { wordsForHeader } from '../../core/i18n/locale.ts';
import { Finder } from '../../core/search/finder.ts';
import { escapeXml } from '../../formats/opml/characters.ts';
import { Fault } from '../../lib/fault.ts';
import { type BodyCall, bodyEndpoint } from '../../net/http/endpoints/body-endpoint.ts';
import { type Reply, textReply } from '../../net/http/respond.ts';
import type { Protocol } from '../../net/http/server.ts';
import { inTime, saveInTime } from '../../storage/cache/in-time.ts';
import {
  type AccountCall,
  addActions,
  changeFeeds,
  describeDevice,
  listActions,
  listDevices,
  listFeedChanges,
  listFeeds,
  putFeeds,
} from './account-calls.ts';
import { type DirectoryDeps, type Podcast, Podcasts, writePodcast } from './directory-calls.ts';
import {
  type GpodderRequest,
  readCount,
  readFeedList,
  readGpodderRequest,
  type PodcastFormat,
} from './read-request.ts';
import { type Accounts, loginSecretsOf, signInApp, type SignedIn, signOutHeaders } from './sign-in.ts';

export interface GpodderDeps extends Omit<DirectoryDeps, 'finder'> {
  /** Undefined when the operator has not set up accounts. */
  accounts?: Accounts | undefined;
}

const MAX_CONCURRENCY = 64;
/** A thousand feeds, or two thousand actions. */
const MAX_BODY_BYTES = 2 ** 20;
const ANSWER_MS = 10_000;
/** A thousand subscriptions are written in a second. */
const WORK_MS = 8000;

/** The API of gpodder.net: podcasts of an account on all its phones, and the shows of the directory. */
export function gpodder(deps: GpodderDeps): Protocol {
  const podcasts = new Podcasts({ ...deps, finder: new Finder(deps.db) });
  const { accounts } = deps;
  return bodyEndpoint({
    paths: [
      '/api/2/*',
      '/subscriptions/*',
      '/suggestions/*',
      '/toplist/*',
      ...['json', 'txt', 'opml'].map((format) => `/search.${format}`),
      '/clientconfig.json',
    ],
    methods: ['GET', 'HEAD', 'POST', 'PUT'],
    maxBodyBytes: MAX_BODY_BYTES,
    maxConcurrency: MAX_CONCURRENCY,
    timeoutMs: ANSWER_MS,
    nameOf: ({ path }) => readGpodderRequest(path)?.call ?? 'other',
    secretsOf: loginSecretsOf,
    answer: async (call) => {
      const request = readGpodderRequest(call.path);
      if (!request) throw unknownCall(call);
      const answer = PUBLIC.get(request.call);
      return answer ? answer(podcasts, call, request) : forAccount(podcasts, accounts, call, request);
    },
    refuse: ({ status, message }) => ({
      ...textReply(status, `${message}\n`),
      ownHeaders: status === 401 ? ['WWW-Authenticate', 'Basic realm="Longwave", charset="UTF-8"'] : [],
    }),
  });
}

const unknownCall = ({ method, path }: BodyCall): Fault =>
  new Fault(
    404,
    undefined,
    `There is no ${method} ${path.slice(0, 100)}; docs/apps.md lists the calls of podcast apps`,
  );

type PublicAnswer = (podcasts: Podcasts, call: BodyCall, request: GpodderRequest) => Promise<Reply>;

/** What needs no account. */
const PUBLIC: ReadonlyMap<string, PublicAnswer> = new Map<string, PublicAnswer>([
  [
    'toplist',
    async (podcasts, call, { names, format }) =>
      writeDirectory(call, format, await podcasts.top(readCount(names[0] ?? ''))),
  ],
  [
    'search',
    async (podcasts, call, { format }) =>
      writeDirectory(call, format, await podcasts.search(call.query.get('q') ?? '')),
  ],
  [
    'api 2 tags',
    async (podcasts, call, { names }) =>
      json(await podcasts.tags(readCount(names[0] ?? ''), wordsForHeader(call.headers['accept-language']))),
  ],
  [
    'api 2 tag',
    async (podcasts, call, { names, format }) => {
      const found = await podcasts.ofTag(names[0] ?? '', readCount(names[1] ?? ''));
      if (!found)
        throw new Fault(404, undefined, `There is no genre ${names[0]}; /api/2/tags/50.json lists them`);
      return writeDirectory(call, format, found);
    },
  ],
  [
    'api 2 data',
    async (podcasts, call, { names }) => {
      const podcast = names[0] === 'podcast' ? await podcasts.ofFeed(call.query.get('url') ?? '') : undefined;
      if (!podcast)
        throw new Fault(
          404,
          undefined,
          'The directory has no show with this feed: /api/2/data/podcast.json?url=FEED',
        );
      return json(writePodcast(podcast, call.peer.origin));
    },
  ],
  [
    'clientconfig',
    async (_podcasts, { peer }) =>
      json({
        mygpo: { baseurl: `${peer.origin}/` },
        'mygpo-feedservice': { baseurl: `${peer.origin}/` },
        update_timeout: 604_800,
      }),
  ],
]);

type AccountAnswer = (call: AccountCall, request: GpodderRequest) => Promise<unknown>;

/** By method and path; what they give is JSON, and nothing is an empty body. */
const OF_ACCOUNT: ReadonlyMap<string, AccountAnswer> = new Map<string, AccountAnswer>([
  ['GET api 2 devices 1', listDevices],
  ['POST api 2 devices 2', (call, { names }) => describeDevice(call, names[1] ?? '')],
  ['GET api 2 subscriptions 2', listFeedChanges],
  ['POST api 2 subscriptions 2', (call, { names }) => changeFeeds(call, names[1] ?? '')],
  ['GET api 2 episodes 1', listActions],
  ['POST api 2 episodes 1', addActions],
  // Nobody can mark an episode as a favourite here.
  ['GET api 2 favorites 1', async () => []],
  ['GET subscriptions 1', listFeeds],
  ['GET subscriptions 2', listFeeds],
  [
    'PUT subscriptions 2',
    async (call, { names, format }) => putFeeds(call, names[1] ?? '', await readFeedList(call, format)),
  ],
]);

async function forAccount(
  podcasts: Podcasts,
  accounts: Accounts | undefined,
  call: BodyCall,
  request: GpodderRequest,
): Promise<Reply> {
  const { names, format } = request;
  const isSuggestion = request.call.endsWith('suggestions');
  const method = call.method === 'HEAD' ? 'GET' : call.method;
  const answer = OF_ACCOUNT.get(`${method} ${request.call} ${names.length}`);
  if (request.call === 'api 2 auth' && names[1] === 'logout')
    return reply('', TEXT_TYPE, signOutHeaders(call));
  const isLogin = request.call === 'api 2 auth' && names[1] === 'login';
  if (!answer && !isLogin && !isSuggestion) throw unknownCall(call);
  const signedIn = await signInApp(call, accounts, isSuggestion ? undefined : names[0]);
  if (isLogin || !accounts) return reply('', TEXT_TYPE, signedIn.headers);
  const owned: AccountCall = { ...call, accounts, accountId: signedIn.accountId };
  if (isSuggestion) return suggestions(podcasts, owned, request, signedIn);
  const made = () => answer?.(owned, request) ?? Promise.resolve();
  const value = await (method === 'GET' ? inTime(made, WORK_MS) : saveInTime(made, WORK_MS));
  if (value === undefined) return reply('', TEXT_TYPE, signedIn.headers);
  return request.call === 'subscriptions' && Array.isArray(value)
    ? writeFeeds(format, value.map(String), signedIn.headers)
    : json(value, signedIn.headers);
}

/** What others listen to and this account does not. */
async function suggestions(
  podcasts: Podcasts,
  call: AccountCall,
  { names, format }: GpodderRequest,
  { headers }: SignedIn,
): Promise<Reply> {
  const count = readCount(names[0] ?? '');
  const known = new Set(await inTime(() => listFeeds(call), WORK_MS));
  const top = await podcasts.top(Number.MAX_SAFE_INTEGER);
  return writeDirectory(call, format, top.filter(({ feed }) => !known.has(feed)).slice(0, count), headers);
}

const JSON_TYPE = 'application/json; charset=utf-8';
const TEXT_TYPE = 'text/plain; charset=utf-8';
const OPML_TYPE = 'text/x-opml; charset=utf-8';

const reply = (text: string, contentType: string, headers?: readonly string[]): Reply => ({
  status: 200,
  contentType,
  body: Buffer.from(text),
  lifetime: headers ? { noStore: true } : { maxAgeSeconds: 300 },
  ownHeaders: headers,
});

const json = (value: unknown, headers?: readonly string[]): Reply =>
  reply(JSON.stringify(value), JSON_TYPE, headers);

function writeDirectory(
  { peer }: BodyCall,
  format: PodcastFormat,
  podcasts: readonly Podcast[],
  headers?: readonly string[],
): Reply {
  if (format === 'json')
    return json(
      podcasts.map((podcast) => writePodcast(podcast, peer.origin)),
      headers,
    );
  if (format === 'txt') return reply(lines(podcasts.map(({ feed }) => feed)), TEXT_TYPE, headers);
  return reply(opml(podcasts.map(({ title, feed }) => ({ title, feed }))), OPML_TYPE, headers);
}

function writeFeeds(format: PodcastFormat, feeds: readonly string[], headers: readonly string[]): Reply {
  if (format === 'json') return json(feeds, headers);
  if (format === 'txt') return reply(lines(feeds), TEXT_TYPE, headers);
  return reply(opml(feeds.map((feed) => ({ title: feed, feed }))), OPML_TYPE, headers);
}

const lines = (texts: readonly string[]): string => texts.map((text) => `${text}\n`).join('');

const opml = (items: readonly { title: string; feed: string }[]): string =>
  [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<opml version="2.0">',
    '<head><title>Podcasts</title></head>',
    '<body>',
    ...items.map(
      ({ title, feed }) => `<outline type="rss" text="${escapeXml(title)}" xmlUrl="${escapeXml(feed)}"/>`,
    ),
    '</body>',
    '</opml>',
    '',
  ].join('\n');
