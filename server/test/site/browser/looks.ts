import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';

/** A module for those who read it; a page is given the bare functions. */
const MEASURE = readFileSync(join(import.meta.dirname, 'measure-looks.js'), 'utf8').replace('export ', '');

/** What of a page overlaps, is cut, reaches over the edge or was never finished, a line each. */
export const faultsInLooks = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>(`(() => { ${MEASURE} return measureLooks(); })()`);

/** As for who reads from the right, with the words as they are. */
export const turnAround = (page: Page): Promise<unknown> =>
  page.evaluate(`document.documentElement.dir = 'rtl'`);

/** As for who has set the browser's text to so many times its size. */
export async function enlarge(page: Page, times: number): Promise<void> {
  const pixels = USUAL_PX * times;
  const browser = await page.context().newCDPSession(page);
  await browser.send('Page.setFontSizes', { fontSizes: { standard: pixels } });
  await page.waitForFunction(`parseFloat(getComputedStyle(document.documentElement).fontSize) === ${pixels}`);
}

const USUAL_PX = 16;
