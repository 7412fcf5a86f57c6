/** Makes calls from a page in Chromium, each by a script element, and prints the answers under the calls' names. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openPage } from './open-page.ts';

/** A call of the page's, with `{name.attribute}` for what the first line of an earlier answer has there. */
export interface PageCall {
  name: string;
  origin: string;
  path: string;
  params: Record<string, string>;
}

interface Answer {
  body: Record<string, string>[];
}

const [, , playwrightFolder = '', certFile = '', callsFile = ''] = process.argv;
const PAGE = readFileSync(join(import.meta.dirname, 'jsonp-page.html'));
const calls: PageCall[] = JSON.parse(readFileSync(callsFile, 'utf8'));

const answers: Record<string, Answer> = {};
{
  await using page = await openPage(
    (_request, response) => response.setHeader('content-type', 'text/html; charset=utf-8').end(PAGE),
    { playwrightFolder, certFile },
  );
  for (const { name, origin, path, params } of calls) {
    const filled = Object.fromEntries(Object.entries(params).map(([key, value]) => [key, fillIn(value)]));
    const args = [origin, path, filled].map((arg) => JSON.stringify(arg)).join(', ');
    // oxlint-disable-next-line no-unsafe-type-assertion -- so answers a page of ours
    answers[name] = (await page.evaluate(`ask(${args})`)) as Answer;
  }
}
process.stdout.write(JSON.stringify(answers));

function fillIn(value: string): string {
  return value.replace(
    /^\{(\w+)\.(\w+)\}$/,
    (_all, name, attribute) => answers[name]?.body[0]?.[attribute] ?? '',
  );
}
