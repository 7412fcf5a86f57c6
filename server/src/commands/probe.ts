import { parseArgs } from 'node:util';
import type { Pool } from 'pg';
import { findStreamByAddress } from '../catalog/stream-by-address.ts';
import { listStreamsOfStation } from '../catalog/streams.ts';
import { openContext } from '../context.ts';
import { refuseOldSchema } from '../db/migrate.ts';
import { addressKey, cleanAddress } from '../intake/clean-address.ts';
import { FleetSeats } from '../jobs/fleet-seats.ts';
import { systemClock } from '../lib/clock.ts';
import { SafeFetcher } from '../lib/fetch-safely/fetch-safely.ts';
import { operatorsChoice } from '../lib/fetch-safely/policy.ts';
import { guideId, parseGuideId } from '../lib/guide-id.ts';
import { probeAddress, probeNow } from '../probe/probe-now.ts';
import { type Command, UsageError } from './command.ts';
import { writeProbed } from './probe-text.ts';

/** Of one station; the best come first. */
const MOST_STREAMS = 20;

export const probeCommand: Command = {
  usage: ['probe s123|e123|ADDRESS'],
  summary: 'listen to a station, a stream or an address now, and say step by step what was found',
  async run(args, config) {
    const { positionals } = parseArgs({ args, allowPositionals: true, options: {} });
    const [asked, ...others] = positionals;
    if (asked === undefined)
      throw new UsageError('say what to listen to: probe s123, probe e123 or probe ADDRESS');
    if (others.length > 0) throw new UsageError(`one at a time: what is '${others[0]}'?`);
    if (!isMeant(asked))
      throw new UsageError(`'${asked}' is no station (s123), no stream (e123) and no address (http://…)`);
    await using opened = new AsyncDisposableStack();
    const { pool } = opened.use(openContext(config, { name: 'probe' }));
    await refuseOldSchema(pool);
    const hostSeats = opened.use(new FleetSeats(config.databaseUrl));
    const ids = await streamsMeant(pool, asked);
    if (ids === undefined) {
      const fetcher = new SafeFetcher({ hostSeats, policy: operatorsChoice });
      console.log(writeProbed('no stream of this directory', await probeAddress(fetcher, asked)));
      return;
    }
    const needs = { pool, fetcher: new SafeFetcher({ hostSeats }), clock: systemClock };
    for (const id of ids) {
      const probed = await probeNow(needs, id);
      if (!probed) throw new Error(`there is no stream ${guideId('e', id)}`);
      console.log(writeProbed(guideId('e', id), probed));
    }
  },
};

const isMeant = (asked: string): boolean =>
  /^https?:\/\//i.test(asked) || ['s', 'e'].includes(parseGuideId(asked)?.letter ?? '');

/** Ids of streams; undefined for an address that is none of ours. */
async function streamsMeant(pool: Pool, asked: string): Promise<number[] | undefined> {
  const id = parseGuideId(asked);
  if (id?.letter === 'e') return [id.number];
  if (id?.letter === 's') return streamsOfStation(pool, id.number);
  const cleaned = cleanAddress(asked);
  const key = 'refused' in cleaned ? undefined : addressKey(cleaned.key);
  const known = await findStreamByAddress(pool, key, asked);
  return known && [known.id];
}

async function streamsOfStation(pool: Pool, stationId: number): Promise<number[]> {
  const streams = await listStreamsOfStation(pool, stationId);
  if (streams.length === 0)
    throw new Error(
      `${guideId('s', stationId)} has no streams: is there such a station? Look with Search.ashx`,
    );
  return streams.slice(0, MOST_STREAMS).map(({ id }) => id);
}
