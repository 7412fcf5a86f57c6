import type { Config } from '../../app/config.ts';
import { FetchFailed } from '../../net/fetch/fetch-failed.ts';
import {
  broken,
  type Check,
  type Finding,
  note,
  type CheckContext,
  unknown,
  warning,
  well,
} from './check.ts';
import { hear, type MenuLine, RadioCaller, type TunedStream } from './hear.ts';
import { formatCount } from './format.ts';

const MAX_HEARD = 3;

/** Calls the running server as a radio does, down to the audio. */
export const proofCheck: Check = {
  title: 'Proof',
  deadlineMs: 20_000,
  async look(context, signal) {
    const origin = originOf(context);
    if (origin === undefined)
      return [
        unknown(
          'server',
          'not checked: HTTP_PORT=0 does not say where it is; give --base-url http://host:port',
        ),
      ];
    const caller = new RadioCaller(context.ownFetcher, origin);
    try {
      const index = await caller.menu('/Browse.ashx');
      const ready = context.baseUrl === undefined ? await readyLine(context) : [];
      return [indexLine(index, origin), ...ready, ...(await listen(context, caller, signal))];
    } catch (error) {
      return [unanswered(error, origin)];
    }
  },
};

/** The given address without credentials, otherwise this machine's own. */
function originOf({ baseUrl, config }: CheckContext): string | undefined {
  if (baseUrl !== undefined) return new URL(baseUrl).origin;
  return config.httpPort === 0 ? undefined : `http://${hereOf(config)}:${config.httpPort}`;
}

/** A server that listens on all addresses is reachable at the loopback address. */
function hereOf({ httpHost }: Config): string {
  if (httpHost === '0.0.0.0') return '127.0.0.1';
  if (httpHost === '::') return '[::1]';
  return httpHost.includes(':') ? `[${httpHost}]` : httpHost;
}

const indexLine = (lines: readonly MenuLine[], origin: string): Finding =>
  lines.length > 0
    ? well('server', `${origin} answers, with an index of ${lines.length} lines`)
    : broken('server', `${origin} answers with an empty index`, 'if it is not Longwave, correct --base-url');

async function listen(
  { streamFetcher }: CheckContext,
  caller: RadioCaller,
  signal: AbortSignal,
): Promise<Finding[]> {
  const lines = await caller.menu('/Browse.ashx?c=popular');
  const stations = lines.filter(({ isStation }) => isStation);
  const [first] = stations;
  if (!first)
    return [
      broken('stations', 'the list of popular stations is empty', 'import stations, as described above'),
    ];
  const tuned = await tuneAll(caller, stations.slice(0, MAX_HEARD));
  return [
    well('stations', `${formatCount(stations.length)} on the first page, ${first.name} first`),
    tuned.length > 0
      ? well('tune', `${tuned[0]?.station.name} is at ${tuned[0]?.address}`)
      : warning(
          'tune',
          `no stream for ${first.name} or the next ones`,
          'run longwave work to find streams that play',
        ),
    ...(tuned.length > 0 ? [await hear(streamFetcher, tuned, signal)] : []),
  ];
}

async function tuneAll(caller: RadioCaller, stations: readonly MenuLine[]): Promise<TunedStream[]> {
  const found = await Promise.all(
    stations.map(async (station) => ({ station, addresses: await caller.tune(station) })),
  );
  return found.flatMap(({ station, addresses: [address] }) =>
    address === undefined ? [] : [{ station, address }],
  );
}

function unanswered(error: unknown, origin: string): Finding {
  if (error instanceof FetchFailed && (error.step === 'connect' || error.step === 'lookup'))
    return broken(
      'server',
      `nothing answers at ${origin}`,
      'start it with longwave serve, or say where it is with --base-url',
    );
  const reason = error instanceof Error ? error.message : String(error);
  return broken(
    'server',
    `${origin} does not answer like Longwave: ${reason}`,
    'check its log, or correct --base-url',
  );
}

const READY = 'ready';
const READY_MS = 2000;

/** The server's readiness, from its private port. */
async function readyLine({ config, ownFetcher }: CheckContext): Promise<Finding[]> {
  const { privateHost, privatePort } = config;
  if (privatePort === 0) return [];
  const host = privateHost.includes(':') ? `[${privateHost}]` : privateHost;
  const address = `http://${host}:${privatePort}/readyz`;
  try {
    const { body } = await ownFetcher.fetch(address, { deadlineMs: READY_MS });
    return [lineOf(body.toString().trim())];
  } catch {
    return [note(READY, `${address} cannot be reached from here`)];
  }
}

function lineOf(said: string): Finding {
  if (!said.includes('"state":"ready"'))
    return warning(
      READY,
      `the server says ${said.slice(0, 200)}`,
      'wait a moment: it is starting or stopping',
    );
  if (said.includes('"down"'))
    return warning(
      READY,
      'the server cannot reach the database and answers from memory',
      'see PostgreSQL above',
    );
  return well(READY, 'the server is ready and reaches the database');
}
