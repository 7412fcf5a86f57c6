import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeBlocksOf, readDocument } from './read-documents.ts';
import type { Workplace } from './workplace.ts';

/** What a document needs so that its commands can be typed, in the order in which they stand there. */
export interface DocumentSetUp {
  /** For its commands; the service has its own. */
  settings?: NodeJS.ProcessEnv;
  /** It stops servers, changes the key or the stations that others ask for: it has a directory of its own, without a service. */
  alone?: boolean;
  prepare?(workplace: Workplace): Promise<void> | void;
  /** What is typed instead of a command with words that stand for others, or with parts that may be left out. */
  typed?: Readonly<Record<string, readonly string[]>>;
  /** What a command has to print, by the beginning of what was typed. */
  prints?: readonly (readonly [typed: string, said: RegExp])[];
}

/** Words that stand for those of any directory, and what they are in the small one. */
export const WORDS: Readonly<Record<string, string>> = {
  s123: 's1',
  s124: 's2',
  s456: 's3',
  s20480001: 's1',
};

export const STATION_SOURCES = `radio-browser=${join(import.meta.dirname, '../seed/stations.jsonl')}`;
const PROGRAMME = join(import.meta.dirname, '../end-to-end/programme.sql');

/** Shows, topics, a schedule around now, accounts that have presets, and the partner that documents speak of. */
export async function fillDirectory({ pool }: Workplace): Promise<void> {
  await pool.query(readFileSync(PROGRAMME, 'utf8'));
  await pool.query("INSERT INTO partners (id, name, serial_scope) VALUES ('demo', 'Demo', 'demo')");
}

/** The block of a document whose first line begins so, as a file. */
export function writeBlock({ folder }: Workplace, document: string, first: string, file: string): void {
  const block = codeBlocksOf(readDocument(document)).find(({ lines }) => lines[0]?.startsWith(first));
  if (!block) throw new Error(`${document} has no block that begins with ${first}`);
  const text = block.lines.join('\n').replaceAll(/\bs\d+\b/g, 's1');
  writeFileSync(join(folder, file), `${text}\n`);
}
