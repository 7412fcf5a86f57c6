import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';

/** How a listener gets things done on a page: with a pointer, or with the keyboard alone. */
export interface Hand {
  press(target: Locator): Promise<void>;
  write(target: Locator, text: string): Promise<void>;
  /** Puts a preset in the place of another one. */
  move(name: string, onto: string): Promise<void>;
}

const grip = (page: Page, name: string): Locator =>
  page.getByRole('button', { name: `Move ${name}`, exact: true });
const key = (page: Page, name: string): Locator =>
  page.getByRole('listitem').filter({ has: grip(page, name) });

export const pointerOf = (page: Page): Hand => ({
  press: (target) => target.click(),
  write: (target, text) => target.fill(text),
  async move(name, onto) {
    const [from, to] = [await middle(key(page, name)), await middle(key(page, onto))];
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2, { steps: 5 });
    await page.mouse.move(to.x, to.y, { steps: 5 });
    await page.mouse.up();
  },
});

async function middle(target: Locator): Promise<{ x: number; y: number }> {
  await target.scrollIntoViewIfNeeded();
  const box = await target.boundingBox();
  assert.ok(box, 'what is to be moved is not on the page');
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** Nobody goes through more than this. */
const MAX_TABS = 120;

/** Presses keys and nothing else: what cannot be reached by Tab cannot be used. */
export const keyboardOf = (page: Page): Hand => ({
  async press(target) {
    await tabTo(page, target);
    await page.keyboard.press('Enter');
  },
  async write(target, text) {
    await tabTo(page, target);
    await page.keyboard.press('ControlOrMeta+A');
    // Whoever has a whole file to enter pastes it.
    await (text.includes('\n') ? page.keyboard.insertText(text) : page.keyboard.type(text));
  },
  async move(name, onto) {
    const names = await keys(page);
    const steps = names.indexOf(onto) - names.indexOf(name);
    await tabTo(page, grip(page, name));
    await page.keyboard.press('Space');
    for (let step = 0; step < Math.abs(steps); step += 1)
      await page.keyboard.press(steps < 0 ? 'ArrowLeft' : 'ArrowRight');
    await page.keyboard.press('Space');
  },
});

/** The search field moves the needle of its dial instead of drawing an outline. */
const IS_MARKED = `(({ activeElement: element }) => {
  const { outlineStyle, outlineWidth } = getComputedStyle(element);
  return element.type === 'search' || (outlineStyle !== 'none' && parseFloat(outlineWidth) > 0);
})(document)`;

/** Goes on until the focus is there, and wants to see where it is. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  const focused = target.and(page.locator(':focus'));
  for (let tabs = 0; (await focused.count()) === 0; tabs += 1) {
    assert.ok(tabs < MAX_TABS, `${target.toString()} is not reached by Tab`);
    await page.keyboard.press('Tab');
  }
  assert.ok(await page.evaluate(IS_MARKED), `nothing shows that the focus is on ${target.toString()}`);
}

/** The names on the keys of presets, in their order. */
export async function keys(page: Page): Promise<string[]> {
  const grips = await page.getByRole('button', { name: /^Move / }).all();
  const labels = await Promise.all(grips.map((each) => each.getAttribute('aria-label')));
  return labels.map((label) => label?.replace('Move ', '') ?? '');
}
