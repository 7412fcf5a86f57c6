import { X509Certificate, createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import type { House } from '../../house/house.ts';

/**
 * Browsers take a machine without an interface for offline. This one leads nowhere, and has all its addresses at once:
 * one that the kernel adds a second later is a change of network to Chromium, which gives up every call under way.
 */
const PLUG_IN = `ip link add line type veth peer name far && ip address add 192.168.77.2/24 dev line &&
  ip link set line addrgenmode none && ip link set far addrgenmode none &&
  ip link set line up && ip link set far up`;

/**
 * Both are Debian's, from one source. The shell has no window, sound or 3D drawing, and takes a third less processor:
 * for pages that need none of them.
 */
export type BrowserProgram = 'chromium' | 'chromium-headless-shell';

/** A browser in a house, driven from outside: what it opens and hears is all in the house. */
export async function openBrowser(
  house: House,
  certFiles: readonly string[],
  program: BrowserProgram,
): Promise<Browser> {
  await house.run('sh', ['-c', PLUG_IN]);
  const door = join(house.folder, 'chromium');
  const words = [...house.wayIn, `/usr/bin/${program}`].map((word) => `'${word}'`).join(' ');
  writeFileSync(door, `#!/bin/sh\nexec ${words} "$@"\n`, { mode: 0o755 });
  return chromium.launch({
    executablePath: door,
    env: { PATH: process.env['PATH'] ?? '', HOME: house.folder, LANG: 'C.UTF-8' },
    // A house has no further user namespaces to give away.
    chromiumSandbox: false,
    args: [
      `--ignore-certificate-errors-spki-list=${certFiles.map(keyHash).join(',')}`,
      '--disable-dev-shm-usage',
    ],
  });
}

function keyHash(certFile: string): string {
  const { publicKey } = new X509Certificate(readFileSync(certFile));
  const key = publicKey.export({ type: 'spki', format: 'der' });
  return createHash('sha256').update(key).digest('base64');
}
