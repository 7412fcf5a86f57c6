/** Loads the built client in a page of another site in Chromium, runs the session there and prints what it gave. */
import { X509Certificate, createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { join, normalize } from 'node:path';

const [, , playwrightFolder = '', certFile = '', sdkFolder = ''] = process.argv;
const SESSION = readFileSync(join(import.meta.dirname, 'sdk-session.js'));

const site = createServer(({ url = '/' }, response) => {
  const file = join(sdkFolder, normalize(url));
  if (url === '/session.js') response.setHeader('content-type', 'text/javascript').end(SESSION);
  else if (url.endsWith('.js') && existsSync(file))
    response.setHeader('content-type', 'text/javascript').end(readFileSync(file));
  else
    response
      .setHeader('content-type', 'text/html; charset=utf-8')
      .end('<!doctype html><title>A radio</title>');
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
  chromiumSandbox: false,
  args: [`--ignore-certificate-errors-spki-list=${trusted}`, '--disable-dev-shm-usage'],
});
const page = await browser.newPage();
await page.goto('http://stream.example.net/');
const gave: unknown = await page.evaluate(`(async () => {
  const [client, { session }] = await Promise.all([import('/client.js'), import('/session.js')]);
  return session(client, 'a-page-2026');
})()`);
await browser.close();
site.close();
process.stdout.write(JSON.stringify(gave));
