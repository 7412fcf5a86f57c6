import type { Locator, Page } from 'playwright-core';

/** A little longer than the player itself is patient with a station that has one stream. */
const MAX_WAIT_MS = 20_000;

export const player = (page: Page): Locator => page.getByRole('region', { name: 'Player' });

export async function hasStatus(page: Page, status: string, maxWaitMs = MAX_WAIT_MS): Promise<void> {
  const there = page.locator(`section[aria-label="Player"][data-status="${status}"]`);
  await there.waitFor({ timeout: maxWaitMs }).catch(async (error: unknown) => {
    throw new Error(`the player says: ${await player(page).innerText()}`, { cause: error });
  });
}

export const isPlaying = (page: Page): Promise<void> => hasStatus(page, 'playing');
