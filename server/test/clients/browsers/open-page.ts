import { X509Certificate, createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type RequestListener, createServer } from 'node:http';
import { createRequire } from 'node:module';

export interface OpenPage extends AsyncDisposable {
  /** What a script gives that is run in the page. */
  evaluate(script: string): Promise<unknown>;
}

export interface OpenOptions {
  playwrightFolder: string;
  certFile: string | readonly string[];
  /** More switches of Chromium's. */
  args?: readonly string[];
}

/**
 * Opens a page of somebody else's site in Chromium, in a house: what it may read of another's answers is what browsers
 * let it. Certificates are trusted by their keys.
 */
export async function openPage(
  site: RequestListener,
  { playwrightFolder, certFile, args = [] }: OpenOptions,
): Promise<OpenPage> {
  const server = createServer(site).listen(80, '127.0.0.2');
  await once(server, 'listening');
  const { chromium } = createRequire(import.meta.url)(playwrightFolder);
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    // A house has no further user namespaces to give away.
    chromiumSandbox: false,
    args: [
      `--ignore-certificate-errors-spki-list=${[certFile].flat().map(keyHash).join(',')}`,
      '--disable-dev-shm-usage',
      ...args,
    ],
  });
  const page = await browser.newPage();
  await page.goto('http://stream.example.net/');
  return {
    evaluate: (script) => page.evaluate(script),
    async [Symbol.asyncDispose]() {
      await browser.close();
      server.close();
    },
  };
}

function keyHash(certFile: string): string {
  const { publicKey } = new X509Certificate(readFileSync(certFile));
  return createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('base64');
}
