import { readFileSync, statSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { Pool } from 'pg';
import { openContext } from '../../app/context.ts';
import { decodeText } from '../../formats/decode-text.ts';
import { openHand } from '../../import/operator/hand.ts';
import {
  applyTakedown,
  liftTakedown,
  type MatchedLine,
  matchTakedown,
  parseTakedownList,
} from '../../import/operator/takedown.ts';
import { guideId } from '../../lib/guide-id.ts';
import { listTakedownsBefore, type TakedownMatch } from '../../storage/catalog/stations/takedowns.ts';
import { type Command, UsageError } from '../command.ts';
import { authorOf, type EditOptions } from '../operator/edit-station.ts';
import { inColumns, plain } from '../terminal.ts';

const MAX_STATEMENT_MS = 120_000;
const MAX_BYTES = 4 * 2 ** 20;
const PAGE = 50;

const text = { type: 'string' } as const;
const OPTIONS = { apply: { type: 'boolean' }, why: text, as: text, before: text } as const;

export const takedownCommand: Command = {
  usage: [
    'takedown FILE [--apply] --why TEXT [--as NAME]',
    'takedown list [--before TAKEDOWN]',
    'takedown lift TAKEDOWN [--as NAME] [--why TEXT]',
  ],
  summary: 'hide the stations of a list of names and addresses, also from imports to come (docs/operator.md)',
  async run(args, config) {
    const { positionals, values } = parseArgs({ args, allowPositionals: true, options: OPTIONS });
    const [what, which, ...more] = positionals;
    if (what === undefined) throw new UsageError('give the list: takedown FILE --why TEXT');
    const extra = what === 'lift' ? more[0] : which;
    if (extra !== undefined)
      throw new UsageError(`'${extra}' is unexpected; put names with spaces in quotes`);
    const { before, apply = false, ...options } = values;
    const id = what === 'lift' ? parseNumber(which) : parseNumber(before ?? `${2 ** 50}`);
    const path = what === 'list' || what === 'lift' ? undefined : what;
    if (path !== undefined && options.why === undefined)
      throw new UsageError(`say why: takedown ${path} --why "…"`);
    const list = path === undefined ? undefined : parseTakedownList(readList(path));
    await using context = openContext(config, { name: 'takedown', statementTimeoutMs: MAX_STATEMENT_MS });
    if (what === 'list') console.log(await writeTakedowns(context.pool, id));
    else if (what === 'lift') console.log(await lift(context.pool, id, options));
    else await takeDown(context.pool, list ?? [], { ...options, apply });
  },
};

function parseNumber(given = ''): number {
  if (!/^\d{1,16}$/.test(given))
    throw new UsageError(`'${given}' is no takedown; longwave takedown list shows their numbers`);
  return Number(given);
}

function readList(path: string): string {
  const file = statSync(path, { throwIfNoEntry: false });
  if (!file?.isFile()) throw new Error(`there is no file ${path}`);
  if (file.size > MAX_BYTES) throw new Error(`${path} is over ${MAX_BYTES} bytes; split it into several`);
  return decodeText(readFileSync(path));
}

/** Shows what the list means, and with `--apply` hides it. */
async function takeDown(
  pool: Pool,
  list: ReturnType<typeof parseTakedownList>,
  { apply, ...options }: EditOptions & { apply: boolean },
): Promise<void> {
  const author = authorOf(options);
  if (!apply) {
    console.log(writePreview(await matchTakedown(pool, list)));
    console.log('\nNothing was changed. Give --apply to hide these stations.');
    return;
  }
  const { applied, matched } = await openHand(pool)(author, async (hand) => {
    const lines = await matchTakedown(hand.client, list);
    return { matched: lines, applied: await applyTakedown(hand, lines) };
  });
  console.log(writePreview(matched));
  console.log(
    `\ntakedown ${applied.id}: ${applied.stations} stations are hidden, also from imports to come. ` +
      `Running servers show it within seconds.\nUndo it with: longwave takedown lift ${applied.id}`,
  );
}

const MAX_SHOWN = 5;

function writePreview(lines: readonly MatchedLine[]): string {
  const rows = lines.map((line) => [String(line.number), plain(line.text), meaning(line.stations)]);
  const none = lines.filter(({ stations }) => stations.length === 0).length;
  const many = lines.filter(({ stations }) => stations.length > 1).length;
  const stations = new Set(lines.flatMap((line) => line.stations.map(({ id }) => id)));
  return [
    inColumns([['LINE', 'TEXT', 'STATIONS'], ...rows]),
    '',
    `${lines.length} lines mean ${stations.size} stations; ${none} mean none yet, ${many} mean several` +
      (many > 0 ? ' (write NAME | AT to mean one country only)' : ''),
  ].join('\n');
}

function meaning(stations: readonly TakedownMatch[]): string {
  if (stations.length === 0) return 'none; one that an import brings later will be hidden';
  const shown = stations.slice(0, MAX_SHOWN).map((station) => {
    const country = station.country === null ? '' : ` (${station.country})`;
    return `${guideId('s', station.id)} ${plain(station.name)}${country}${station.hidden ? ', hidden already' : ''}`;
  });
  const more = stations.length > MAX_SHOWN ? [`and ${stations.length - MAX_SHOWN} more`] : [];
  const several = stations.length > 1 ? `${stations.length} stations: ` : '';
  return several + [...shown, ...more].join('; ');
}

async function lift(pool: Pool, id: number, options: EditOptions): Promise<string> {
  const lifted = await openHand(pool)(authorOf(options), (hand) => liftTakedown(hand, id));
  return `takedown ${id} is lifted: it no longer hides ${lifted} stations and streams. Running servers show it within seconds.`;
}

async function writeTakedowns(pool: Pool, before: number): Promise<string> {
  const rows = await listTakedownsBefore(pool, before, PAGE + 1);
  if (rows.length === 0) return 'no takedowns';
  const page = rows.slice(0, PAGE);
  const more = rows.length > PAGE ? `\nmore: longwave takedown list --before ${page.at(-1)?.id}` : '';
  const lines = page.map((row) => [
    String(row.id),
    row.made_at.toString().slice(0, 10),
    plain(row.who),
    String(row.stations ?? 0),
    row.lifted_at === null ? 'in force' : `lifted by ${plain(row.lifted_by ?? '')}`,
    plain(row.why),
  ]);
  return inColumns([['TAKEDOWN', 'MADE', 'WHO', 'HID', 'STATE', 'WHY'], ...lines]) + more;
}
