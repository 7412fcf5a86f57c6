import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openPage } from '../browser/every-page.ts';
import { STATION, fillSite } from '../browser/fill-site.ts';
import { faultsInLooks } from '../browser/looks.ts';
import { type OpenSite, SITE, openSite } from '../browser/open-site.ts';

let site: OpenSite;
before(async () => {
  site = await openSite(fillSite);
});
after(() => site[Symbol.asyncDispose]());

const PHONE = { viewport: { width: 390, height: 844 } };
const OF_STATION = `station/${STATION.id}`;

/** What a browser of this language shows: words, direction, and whether the page keeps within its edges. */
for (const { locale, opening, presets, paths } of [
  { locale: 'ar-EG', opening: '<html lang="ar" dir="rtl"', presets: 'المفضلة', paths: ['', OF_STATION] },
  { locale: 'he-IL', opening: '<html lang="he" dir="rtl"', presets: 'מועדפים', paths: [''] },
  { locale: 'th-TH', opening: '<html lang="th" dir="ltr"', presets: undefined, paths: [OF_STATION] },
  { locale: 'nn-NO', opening: '<html lang="nb" dir="ltr"', presets: undefined, paths: [''] },
]) {
  test(`${locale}: the first answer and the page are in its language and direction`, async () => {
    await using listener = await site.listener({ ...PHONE, locale });
    const { page, complaints } = listener;
    const response = await page.goto(SITE);
    const first = (await response?.text()) ?? '';
    assert.ok(first.includes(opening), first.slice(0, 100));
    for (const path of paths) {
      await openPage(page, { path });
      const root = await page.evaluate<string>('document.documentElement.outerHTML.slice(0, 40)');
      assert.ok(root.startsWith(opening), root);
      assert.deepEqual(await faultsInLooks(page), [], `${locale} ${path}`);
    }
    if (presets !== undefined)
      await page.locator('nav:visible', { hasText: presets }).first().waitFor({ timeout: 5000 });
    assert.deepEqual(complaints.all(), []);
  });
}

test('a listener who chooses Arabic has the page turned round at once, and it stays so', async () => {
  await using listener = await site.listener({ locale: 'en-GB' });
  const { page } = listener;
  await openPage(page, { path: '' });
  await page.locator('footer select').first().selectOption('ar');
  await page.locator('html[dir=rtl][lang=ar]').waitFor();
  await openPage(page, { path: '' });
  assert.equal(await page.locator('html').getAttribute('dir'), 'rtl');
  const [name, middle] = await page.evaluate<[number, number]>(
    `[document.querySelector('header a').getBoundingClientRect().left, innerWidth / 2]`,
  );
  assert.ok(name > middle, 'the name of the site stands on the right');
});
