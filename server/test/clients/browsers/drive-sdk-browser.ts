/** Loads the built client in a page of another site in Chromium, runs the session there and prints what it gave. */
import { existsSync, readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join, normalize } from 'node:path';
import { openPage } from './open-page.ts';

const [, , playwrightFolder = '', certFile = '', sdkFolder = ''] = process.argv;
const SESSION = join(import.meta.dirname, 'sdk-session.js');

function site({ url = '/' }: IncomingMessage, response: ServerResponse): void {
  const file = url === '/session.js' ? SESSION : join(sdkFolder, normalize(url));
  if (url.endsWith('.js') && existsSync(file))
    response.setHeader('content-type', 'text/javascript').end(readFileSync(file));
  else
    response
      .setHeader('content-type', 'text/html; charset=utf-8')
      .end('<!doctype html><title>A radio</title>');
}

await using page = await openPage(site, { playwrightFolder, certFile });
const gave = await page.evaluate(`(async () => {
  const [client, { session }] = await Promise.all([import('/client.js'), import('/session.js')]);
  return session(client, 'a-page-2026');
})()`);
process.stdout.write(JSON.stringify(gave));
