import { appendFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = process.env['LONGWAVE_TEST_LOGS'];

/** Keeps what the service logged in a test, so that all of it is searched for secrets when the tests are over. */
export function keepLog(text: string): void {
  if (folder !== undefined)
    appendFileSync(join(folder, `${process.pid}.log`), text.endsWith('\n') ? text : `${text}\n`);
}
