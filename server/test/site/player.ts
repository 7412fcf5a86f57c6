import type { Locator, Page } from 'playwright-core';

/** A little longer than the player itself is patient with a station that has one stream. */
const PATIENCE_MS = 20_000;

export const player = (page: Page): Locator => page.getByRole('region', { name: 'Player' });

export async function hasStatus(page: Page, status: string, patienceMs = PATIENCE_MS): Promise<void> {
  const there = page.locator(`section[aria-label="Player"][data-status="${status}"]`);
  await there.waitFor({ timeout: patienceMs }).catch(async (error: unknown) => {
    throw new Error(`the player says: ${await player(page).innerText()}`, { cause: error });
  });
}

export const isPlaying = (page: Page): Promise<void> => hasStatus(page, 'playing');
