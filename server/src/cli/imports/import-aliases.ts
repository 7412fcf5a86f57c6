import { parseArgs } from 'node:util';
import type { Config } from '../../app/config.ts';
import { openContext } from '../../app/context.ts';
import { formatOf, LIST_FORMATS, type ListEntry, readList } from '../../formats/station-list/read-list.ts';
import { applyAliases } from '../../import/aliases/apply-aliases.ts';
import { type AliasPlan, type PlannedAlias, planAliases } from '../../import/aliases/plan-aliases.ts';
import { guideId, numberOf } from '../../lib/guide-id.ts';
import { parseCountry } from '../../storage/catalog/places/country-names.ts';
import { UsageError } from '../command.ts';
import { readListFile } from './list-file.ts';
import { ReportFile } from './report-file.ts';
import { inColumns, plain } from '../terminal.ts';

export const ALIASES_USAGE = [
  'import aliases FILE [--apply] [--replace] [--country GB] [--pick ID=s123]… [--scheme NAME] [--format NAME] [--report FILE]',
];

const MAX_STATEMENT_MS = 60_000;
const MAX_ENTRIES = 20_000;
/** Of each kind; the report has all of them. */
const MAX_SHOWN = 100;
const MAX_CELL_LENGTH = 60;
const OPTIONS = {
  apply: { type: 'boolean' },
  replace: { type: 'boolean' },
  country: { type: 'string' },
  pick: { type: 'string', multiple: true },
  scheme: { type: 'string' },
  format: { type: 'string' },
  report: { type: 'string' },
} as const;

/** Ids of other directories lead to our stations: a preview, and with --apply it is saved. */
export async function importAliasesCommand(args: string[], config: Config): Promise<void> {
  const { positionals, values } = parseArgs({ args, allowPositionals: true, options: OPTIONS });
  const [path, ...others] = positionals;
  if (path === undefined || others.length > 0)
    throw new UsageError('give what to import: import aliases FILE');
  const { country, scheme, replace: isReplacing } = values;
  if (country !== undefined && parseCountry(country) === undefined)
    throw new UsageError(`--country: '${country}' is not a country; use a code such as GB`);
  if (scheme !== undefined && !/^[a-z0-9-]{1,40}$/.test(scheme))
    throw new UsageError(`--scheme: '${scheme}' must be 1 to 40 small letters, digits and -, such as vtuner`);
  const chosen = new Map((values.pick ?? []).map(parsePick));
  const entries = await readEntries(path, values.format);
  const report = values.report === undefined ? undefined : new ReportFile(values.report, path);
  await using context = openContext(config, { name: 'import', statementTimeoutMs: MAX_STATEMENT_MS });
  const options = { country, scheme, isReplacing, chosen };
  const plan = values.apply
    ? await applyAliases(context.pool, entries, options)
    : await planAliases(context.pool, entries, options);
  for (const alias of plan.aliases) report?.write(alias);
  console.log(writePlan(plan, values.apply === true));
  await report?.close();
  if (report) console.log(`each id is in ${values.report}`);
}

/** `s24896=s20480013` */
function parsePick(text: string): [foreignId: string, stationId: number] {
  const equals = text.lastIndexOf('=');
  const stationId = numberOf('s', text.slice(equals + 1));
  if (equals > 0 && stationId !== undefined) return [text.slice(0, equals), stationId];
  throw new UsageError(
    `--pick: '${text}' must be the id elsewhere and a station here, such as s24896=s20480013`,
  );
}

async function readEntries(path: string, asked: string | undefined): Promise<ListEntry[]> {
  const text = readListFile(path);
  const format = asked === undefined ? formatOf(text) : LIST_FORMATS.find((known) => known === asked);
  if (!format) throw new UsageError(`--format: '${asked}' is unknown; use one of ${LIST_FORMATS.join(', ')}`);
  let entries: ListEntry[];
  try {
    entries = await readList(text, format, MAX_ENTRIES);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`${path} was read as ${format}: ${reason}; --format says what it is`, { cause: error });
  }
  if (entries.length > MAX_ENTRIES) throw new Error(`${path} has over ${MAX_ENTRIES} entries: split it`);
  return entries;
}

const GROUPS: readonly [what: PlannedAlias['what'], title: (count: string, isApplied: boolean) => string][] =
  [
    ['new', (count, isApplied) => `${count} ${isApplied ? 'saved' : 'would be saved'}`],
    ['replaced', (count, isApplied) => `${count} ${isApplied ? 'changed' : 'would be changed'}`],
    ['known', (count) => `${count} already saved`],
    ['conflict', (count) => `${count} in conflict, left as they are`],
    ['unmatched', (count) => `${count} not matched, not saved`],
  ];

function writePlan({ aliases, withoutId }: AliasPlan, isApplied: boolean): string {
  const parts: string[] = [];
  for (const [what, title] of GROUPS) {
    const all = aliases.filter((alias) => alias.what === what);
    if (all.length === 0) continue;
    const rows = all.slice(0, MAX_SHOWN).map(cellsOf);
    const more =
      all.length > MAX_SHOWN ? `\n… and ${number(all.length - MAX_SHOWN)} more: --report FILE` : '';
    parts.push(`${title(number(all.length), isApplied)}:\n${inColumns(rows)}${more}`);
  }
  if (withoutId > 0) parts.push(`${number(withoutId)} entries have no id of another directory`);
  const isWanted = aliases.some(({ what }) => what === 'new' || what === 'replaced');
  if (isWanted && !isApplied) parts.push('Nothing was saved: check it, then run it again with --apply.');
  if (isWanted && isApplied) parts.push('Running servers answer these ids within a minute.');
  return parts.join('\n\n') || 'the list is empty';
}

function cellsOf({ scheme, id, name, station, by, why }: PlannedAlias): string[] {
  const target = station ? `-> ${guideId('s', station.id)} ${station.name}` : '';
  const how = [by && `by ${by}`, why].filter(Boolean).join(': ');
  return [`  ${scheme}`, id, name || '(no name)', target, how].map((cell, column) =>
    column === 4 ? plain(cell) : plain(cell).slice(0, MAX_CELL_LENGTH),
  );
}

const number = (value: number): string => value.toLocaleString('en-US');
