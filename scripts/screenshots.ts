#!/usr/bin/env node
/**
 * `npm run screenshots [-- --out FOLDER] [-- --page NAME] [-- --language CODE]`: every page of the site in Chromium, in
 * desktop, tablet and phone size, in the light and the dark theme, into `artifacts/screenshots`; home, station and presets also
 * in languages of other scripts, or only in one that is named. Reports elements that overlap, are cut off or overflow
 * the page, and then fails. Fonts: fonts-noto-core and fonts-noto-cjk.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { BrowserContextOptions, Page } from 'playwright-core';

const checkout = join(import.meta.dirname, '..');
const { values } = parseArgs({
  options: {
    out: { type: 'string', default: 'artifacts/screenshots' },
    page: { type: 'string' },
    language: { type: 'string' },
  },
});
const folder = resolve(checkout, values.out);
mkdirSync(folder, { recursive: true });

spawnSync(process.execPath, ['scripts/services.ts', 'up'], {
  cwd: checkout,
  stdio: ['ignore', 'ignore', 'inherit'],
});
process.loadEnvFile(join(checkout, '.env.services'));

const { signedInState } = await import('../server/test/site/browser/account.ts');
const { PAGES, openPage } = await import('../server/test/site/browser/every-page.ts');
const { fillSite } = await import('../server/test/site/browser/fill-site.ts');
const { faultsInLooks } = await import('../server/test/site/browser/looks.ts');
const { openSite } = await import('../server/test/site/browser/open-site.ts');

const SIZES = {
  1280: { viewport: { width: 1280, height: 800 } },
  820: { viewport: { width: 820, height: 1180 }, hasTouch: true },
  390: { viewport: { width: 390, height: 844 }, hasTouch: true, deviceScaleFactor: 2 },
} as const satisfies Record<string, BrowserContextOptions>;
const THEMES = ['light', 'dark'] as const;
/** Pages with the most to mirror and to break differently. */
const SPOKEN = ['home', 'station', 'presets'];
/** From the right, with marks over and under letters, without spaces between words, with long ones. */
const LANGUAGES = values.language === undefined ? ['ar', 'he', 'hi', 'ja', 'th', 'ru'] : [values.language];

await using site = await openSite(fillSite, { browser: 'chromium' });
const storageState = await signedInState(site, {
  username: 'aoife',
  email: 'aoife@mail.example',
  password: 'only for the pictures 1',
});
const faults: string[] = [];

const pages = PAGES.filter(({ name }) => values.page === undefined || name === values.page);

for (const [size, view] of Object.entries(SIZES)) {
  for (const colorScheme of values.language === undefined ? THEMES : [])
    await shootAll(pages, `${size}-${colorScheme}`, { ...view, colorScheme });
  const spoken = pages.filter(({ name }) => SPOKEN.includes(name) || values.page !== undefined);
  for (const locale of LANGUAGES) await shootAll(spoken, `${size}-${locale}`, { ...view, locale });
}

async function shootAll(
  some: readonly (typeof PAGES)[number][],
  name: string,
  options: BrowserContextOptions,
): Promise<void> {
  await using somebody = await site.listener(options);
  await using member = await site.listener({ ...options, storageState });
  for (const sitePage of some) {
    const { page } = sitePage.needsAccount ? member : somebody;
    await openPage(page, sitePage);
    await shoot(page, `${sitePage.name}-${name}`);
  }
}

async function shoot(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled' });
  const found = await faultsInLooks(page);
  console.log(`${name}.png${found.length === 0 ? '' : `: ${found.length} faults`}`);
  faults.push(...found.map((fault) => `${name}: ${fault}`));
}

console.log(faults.length === 0 ? `no faults; see ${folder}` : faults.join('\n'));
process.exitCode = faults.length === 0 ? 0 : 1;
