import type { Config } from '../../config.ts';
import { FetchFailed } from '../../lib/fetch-safely/fetch-failed.ts';
import { type MenuLine, RadioCaller } from './ask-as-radio.ts';
import type { Check, Patient } from './check.ts';
import { type Finding, broken, unknown, warning, well } from './finding.ts';
import { type Tuned, hear } from './hear.ts';
import { readyLine } from './ready.ts';
import { spellCount } from './spell.ts';

const MOST_HEARD = 3;

/** Asks the running server as a radio does, down to the sound. */
export const proofCheck: Check = {
  title: 'Proof',
  deadlineMs: 20_000,
  async look(patient, signal) {
    const origin = originOf(patient);
    if (origin === undefined)
      return [
        unknown('server', 'not asked: HTTP_PORT=0 says not where it is; give --base-url http://host:port'),
      ];
    const caller = new RadioCaller(patient.ownFetcher, origin);
    try {
      const index = await caller.menu('/Browse.ashx');
      const ready = patient.baseUrl === undefined ? await readyLine(patient) : [];
      return [indexLine(index, origin), ...ready, ...(await listen(patient, caller, signal))];
    } catch (error) {
      return [unanswered(error, origin)];
    }
  },
};

/** The address that was given, without what may be secret in it; else this machine's own. */
function originOf({ baseUrl, config }: Patient): string | undefined {
  if (baseUrl !== undefined) return new URL(baseUrl).origin;
  return config.httpPort === 0 ? undefined : `http://${hereOf(config)}:${config.httpPort}`;
}

/** Who listens on all addresses listens on the machine's own. */
function hereOf({ httpHost }: Config): string {
  if (httpHost === '0.0.0.0') return '127.0.0.1';
  if (httpHost === '::') return '[::1]';
  return httpHost.includes(':') ? `[${httpHost}]` : httpHost;
}

const indexLine = (lines: readonly MenuLine[], origin: string): Finding =>
  lines.length > 0
    ? well('server', `${origin} answers, with an index of ${lines.length} lines`)
    : broken('server', `${origin} answers with an empty index`, 'is it a Longwave? Correct --base-url');

async function listen(
  { streamFetcher }: Patient,
  caller: RadioCaller,
  signal: AbortSignal,
): Promise<Finding[]> {
  const lines = await caller.menu('/Browse.ashx?c=popular');
  const stations = lines.filter(({ isStation }) => isStation);
  const [first] = stations;
  if (!first)
    return [broken('stations', 'the list of popular stations is empty', 'fill the directory, as told above')];
  const tuned = await tuneAll(caller, stations.slice(0, MOST_HEARD));
  return [
    well('stations', `${spellCount(stations.length)} on the first page, ${first.name} before all others`),
    tuned.length > 0
      ? well('tune', `${tuned[0]?.station.name} is at ${tuned[0]?.address}`)
      : warning(
          'tune',
          `no stream for ${first.name} nor for those behind it`,
          'longwave work finds streams that play',
        ),
    ...(tuned.length > 0 ? [await hear(streamFetcher, tuned, signal)] : []),
  ];
}

async function tuneAll(caller: RadioCaller, stations: readonly MenuLine[]): Promise<Tuned[]> {
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
      'start it: longwave serve; or say where it is: --base-url',
    );
  const reason = error instanceof Error ? error.message : String(error);
  return broken(
    'server',
    `${origin} does not answer as Longwave does: ${reason}`,
    'see its log, or correct --base-url',
  );
}
