import { parseArgs } from 'node:util';
import { openContext } from '../../app/context.ts';
import { guideId } from '../../lib/guide-id.ts';
import { listAnnounced, type ShownAnnounced } from '../../storage/catalog/streams/announced-streams.ts';
import { type Command, UsageError } from '../command.ts';
import { inColumns, plain } from '../terminal.ts';

const PAGE = 50;

export const announcedCommand: Command = {
  usage: ['announced [--offset NUMBER]'],
  summary: 'list the streams that Icecast servers announce now, and what became of each (docs/yp.md)',
  async run(args, config) {
    const { values } = parseArgs({ args, options: { offset: { type: 'string' } } });
    const given = values.offset ?? '0';
    if (!/^\d{1,9}$/.test(given)) throw new UsageError(`--offset '${given}' is not a number`);
    const offset = Number(given);
    await using context = openContext(config, { name: 'announced' });
    const rows = await listAnnounced(context.pool, { limit: PAGE + 1, offset });
    const off = config.yp === 'on' ? '' : `\nYP=${config.yp}: no announcement is taken (docs/yp.md)`;
    const none = offset > 0 ? 'no more announced streams' : 'no server announces a stream now';
    const more = rows.length > PAGE ? `\nmore: longwave announced --offset ${offset + PAGE}` : '';
    console.log((rows.length === 0 ? none : writeAnnounced(rows.slice(0, PAGE))) + more + off);
  },
};

/** Names, addresses and songs are those of strangers. */
const writeAnnounced = (rows: readonly ShownAnnounced[]): string =>
  inColumns([
    ['STATION', 'TOUCHED', 'LISTENERS', 'FROM', 'NAME', 'ADDRESS', 'STATE'],
    ...rows.map((row) => [
      row.station_id === null ? '-' : guideId('s', row.station_id),
      row.touched_at.toString({ smallestUnit: 'minute' }),
      String(row.listeners ?? '-'),
      row.caller,
      plain(row.name),
      plain(row.address),
      plain(stateOf(row)),
    ]),
  ]);

function stateOf({ heard_at: heardAt, proof, problem, station_id: station, song }: ShownAnnounced): string {
  if (heardAt === null) return problem === null ? 'not listened to yet' : `not heard: ${problem}`;
  if (proof === null) return `not listed: ${problem ?? 'not proven yet'}`;
  if (station === null) return 'heard; listed within ten minutes';
  return song === null ? 'listed' : `listed; plays ${song}`;
}
