import { parseArgs } from 'node:util';
import type { Pool } from 'pg';
import { openContext } from '../../app/context.ts';
import { importSuggested } from '../../import/sources/suggested/import-suggested.ts';
import { guideId } from '../../lib/guide-id.ts';
import {
  decideSuggestion,
  listHeardSuggestions,
  type ShownSuggestion,
} from '../../storage/catalog/streams/suggestions.ts';
import { idsOfAddress } from '../../core/search/queries.ts';
import { type Command, UsageError } from '../command.ts';
import { inColumns, plain } from '../terminal.ts';

const PAGE = 50;
/** As long as those of an import that an operator starts. */
const STATEMENT_MS = 600_000;
const ID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

export const suggestionsCommand: Command = {
  usage: ['suggestions list [--offset NUMBER]', 'suggestions accept ID…', 'suggestions reject ID…'],
  summary: 'list the stations that listeners suggested and that were heard, and decide about them',
  async run(args, config) {
    const { positionals, values } = parseArgs({
      args,
      allowPositionals: true,
      options: { offset: { type: 'string' } },
    });
    const [action = 'list', ...ids] = positionals;
    if (!['list', 'accept', 'reject'].includes(action))
      throw new UsageError(`'${action}' is not an action; use list, accept or reject`);
    const given = values.offset ?? '0';
    if (!/^\d{1,9}$/.test(given)) throw new UsageError(`--offset '${given}' is not a number`);
    if (action !== 'list' && ids.length === 0)
      throw new UsageError(`give the id: suggestions ${action} ID; longwave suggestions list shows it`);
    const wrong = ids.find((id) => !ID.test(id));
    if (wrong !== undefined) throw new UsageError(`'${wrong}' is not the id of a suggestion`);
    await using context = openContext(config, { name: 'suggestions', statementTimeoutMs: STATEMENT_MS });
    const { pool, log } = context;
    if (action === 'list') return console.log(await list(pool, Number(given)));
    for (const id of ids) await decide(pool, id, action === 'accept');
    if (action === 'reject') return undefined;
    await importSuggested({ pool, log });
    for (const id of ids) console.log(`${id} is ${await stationAt(pool, id)}`);
    return undefined;
  },
};

async function list(pool: Pool, offset: number): Promise<string> {
  const rows = await listHeardSuggestions(pool, { limit: PAGE + 1, offset });
  if (rows.length === 0)
    return offset > 0 ? 'no more suggestions' : 'no suggestion is waiting that was heard';
  const more = rows.length > PAGE ? `\nmore: longwave suggestions list --offset ${offset + PAGE}` : '';
  return writeSuggestions(rows.slice(0, PAGE)) + more;
}

/** Names and addresses are those of strangers. */
const writeSuggestions = (rows: readonly ShownSuggestion[]): string =>
  inColumns([
    ['ID', 'SUGGESTED', 'NAME', 'PLACE', 'SOUND', 'ADDRESS', 'HOMEPAGE'],
    ...rows.map((row) => [
      row.address_key,
      row.suggested_at.toString({ smallestUnit: 'minute' }),
      plain(row.name),
      plain([row.city, row.country_code].filter(Boolean).join(', ') || '-'),
      plain(`${row.codec ?? '-'}${row.bitrate > 0 ? ` ${row.bitrate} kbit/s` : ''}`),
      plain(row.address),
      plain(row.homepage ?? '-'),
    ]),
  ]);

async function decide(pool: Pool, id: string, isAccepted: boolean): Promise<void> {
  const name = await decideSuggestion(pool, id, isAccepted);
  if (name === undefined)
    throw new Error(`there is no suggestion ${id} that waits; longwave suggestions list shows them`);
  console.log(`${plain(name)} is ${isAccepted ? 'accepted' : 'rejected'}`);
}

async function stationAt(pool: Pool, id: string): Promise<string> {
  const [station] = await idsOfAddress(pool, id);
  return station === undefined
    ? 'not listed: its name or address was refused (longwave import prints why)'
    : guideId('s', station);
}
