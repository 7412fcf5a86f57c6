import { readFileSync, statSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { Config } from '../config.ts';
import { openContext } from '../context.ts';
import { decodeText } from '../formats/decode-text.ts';
import { withImportSession } from '../intake/import-lock.ts';
import { importAffiliates } from '../intake/networks/save-affiliates.ts';
import { UsageError } from './command.ts';

export const AFFILIATES_USAGE = ['import affiliates FILE'];

const LONGEST_STATEMENT_MS = 600_000;
const MOST_BYTES = 16 * 2 ** 20;
/** Networks that were left out; after so many it is clear what is wrong with the file. */
const MOST_TOLD = 20;

/** An operator's own networks, which later imports keep; the format is in docs/import.md. */
export async function importAffiliatesCommand(args: string[], config: Config): Promise<void> {
  const { positionals } = parseArgs({ args, allowPositionals: true });
  const [path, ...others] = positionals;
  if (path === undefined || others.length > 0)
    throw new UsageError('say what to import: import affiliates FILE');
  const text = textOf(path);
  await using context = openContext(config, { name: 'import', statementTimeoutMs: LONGEST_STATEMENT_MS });
  const { networks, stations, changed, refused } = await withImportSession(context.pool, (client) =>
    importAffiliates(client, text),
  );
  for (const why of refused.slice(0, MOST_TOLD)) console.error(`left out: ${why}`);
  if (refused.length > MOST_TOLD) console.error(`and ${number(refused.length - MOST_TOLD)} more left out`);
  console.log(`${number(stations)} stations in ${number(networks)} networks; ${number(changed)} changes`);
}

const number = (value: number): string => value.toLocaleString('en-US');

function textOf(path: string): string {
  const file = statSync(path, { throwIfNoEntry: false });
  if (!file?.isFile()) throw new Error(`there is no file ${path}`);
  if (file.size > MOST_BYTES) throw new Error(`${path} is over ${MOST_BYTES} bytes: split it`);
  return decodeText(readFileSync(path));
}
