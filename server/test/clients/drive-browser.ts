/** Makes calls from a page in Chromium, each by a script element, and prints the answers under the calls' names. */
import { X509Certificate, createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';

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

// A site of somebody else's: what it may read of another's answers is what script elements give it, and no more.
const site = createServer((_request, response) => {
  response.setHeader('content-type', 'text/html; charset=utf-8').end(PAGE);
});
site.listen(80, '127.0.0.2');
await once(site, 'listening');

const publicKey = new X509Certificate(readFileSync(certFile)).publicKey.export({
  type: 'spki',
  format: 'der',
});
const trusted = createHash('sha256').update(publicKey).digest('base64');
const { chromium } = createRequire(import.meta.url)(playwrightFolder);
const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  // A house has no further user namespaces to give away.
  chromiumSandbox: false,
  args: [`--ignore-certificate-errors-spki-list=${trusted}`, '--disable-dev-shm-usage'],
});
const page = await browser.newPage();
await page.goto('http://stream.example.net/');

const answers: Record<string, Answer> = {};
const fillIn = (value: string): string =>
  value.replace(/^\{(\w+)\.(\w+)\}$/, (_all, name, attribute) => answers[name]?.body[0]?.[attribute] ?? '');
for (const { name, origin, path, params } of calls) {
  const filled = Object.fromEntries(Object.entries(params).map(([key, value]) => [key, fillIn(value)]));
  const args = [origin, path, filled].map((arg) => JSON.stringify(arg)).join(', ');
  answers[name] = await page.evaluate(`ask(${args})`);
}
await browser.close();
site.close();
process.stdout.write(JSON.stringify(answers));
