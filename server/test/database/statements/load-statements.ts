import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listStatements, type Statement } from '../../../src/storage/db/statement.ts';

const src = join(import.meta.dirname, '../../../src');
const definesStatements = (file: string): boolean =>
  /import \{[^}]*\bstatement\b[^}]*\} from '[./\w]+db\/statement\.ts'/.test(
    readFileSync(join(src, file), 'utf8'),
  );

/** Every named statement of the service: the modules that define any are imported, so that none can be forgotten. */
export async function loadStatements(): Promise<Statement[]> {
  const files = globSync('**/*.ts', { cwd: src }).filter((file) => !file.endsWith('.test.ts'));
  for (const file of files.filter(definesStatements)) await import(join(src, file));
  return listStatements();
}
