import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { waitUntil } from '../../time/wait-until.ts';
import type { SiteAccount } from '../browser/account.ts';
import { fillSite } from '../browser/fill-site.ts';
import { keys, pointerOf } from '../browser/hand.ts';
import { exportOpml, importText, openPresets, pair, register, reorder } from '../browser/listeners-way.ts';
import type { Walker } from '../browser/listeners-way.ts';
import { type Listener, type OpenSite, SITE, openSite } from '../browser/open-site.ts';
import { type Radio, radioIn } from '../browser/radio.ts';

const AOIFE: SiteAccount = {
  username: 'aoife',
  email: 'aoife-way@mail.example',
  password: 'up before the tide 7',
};
const BRAN: SiteAccount = {
  username: 'bran',
  email: 'bran-way@mail.example',
  password: 'down with the tide 8',
};
const SERIAL = { serial: 'kitchen-radio-7f3a' };
/** What was saved on the radio before anybody had an account, by guide ID and name. */
const SAVED = { s1: 'Harbour Folk', s3: 'Lantern Jazz', p101: 'The Morning Boat', s2: 'Town FM 97.9' };

describe("a listener's whole way", () => {
  let site: OpenSite;
  let radio: Radio;
  let aoife: Listener;
  let walker: Walker;
  let exported: string;
  before(async () => {
    site = await openSite(fillSite, { env: { SERVE_PROCESSES: '2' } });
    radio = radioIn(site.served, SERIAL.serial);
    aoife = await site.listener();
    walker = { page: aoife.page, hand: pointerOf(aoife.page) };
  });
  after(() => site?.[Symbol.asyncDispose]());

  test('saves presets on a radio that nobody has an account for', async () => {
    for (const id of Object.keys(SAVED)) await radio.save(id);
    assert.equal((await radio.presets()).length, 4);
  });

  test('follows the link that a radio shows, and registers there', async () => {
    const link = await radio.presetsLink();
    assert.match(link, /\/listen\/register\?/);
    await aoife.page.goto(link.replace('http:', 'https:'));
    await aoife.page.getByText('Your radio sent you here').waitFor();
    await register(walker, AOIFE);
    assert.equal(aoife.page.url(), `${SITE}radios`, 'what comes next is to pair it');
  });

  test('pairs the radio by the code it shows, and has its presets', async () => {
    await pair(walker, radio);
    await openPresets(walker);
    assert.deepEqual(await keys(aoife.page), Object.values(SAVED));
  });

  test('puts them in another order, which the radio has at once', async () => {
    const wanted = await reorder(walker, radio, ['The Morning Boat', 'Harbour Folk']);
    assert.deepEqual(wanted, ['The Morning Boat', 'Harbour Folk', 'Lantern Jazz', 'Town FM 97.9']);
    await aoife.page.reload();
    await aoife.page
      .getByRole('button', { name: /^Move / })
      .first()
      .waitFor();
    assert.deepEqual(await keys(aoife.page), wanted, 'and still after the page is loaded again');
  });

  test('sees what the radio asked, some seconds later', async () => {
    await waitUntil('what the radio asked', async () => {
      await aoife.page.goto(`${SITE}radios`);
      await aoife.page.getByText('Recent activity').click();
      const asked = aoife.page
        .getByRole('list', { name: /Recent activity/ })
        .getByText('Opened your presets')
        .first();
      await asked.waitFor({ timeout: 2000 });
      // The page may have been made just before the radio was seen, and its activity read after that.
      await aoife.page.getByText('Everything works').waitFor({ timeout: 2000 });
      return true;
    });
  });

  test('exports the presets as OPML, which another account imports', async () => {
    await aoife.page.goto(`${SITE}presets`);
    exported = await exportOpml(walker);
    assert.match(exported, /<opml version="[12]/);
    await using bran = await site.listener();
    const other = { page: bran.page, hand: pointerOf(bran.page) };
    await bran.page.goto(`${SITE}register`);
    await register(other, BRAN);
    await importText(other, exported);
    await bran.page
      .getByRole('button', { name: /^Move / })
      .first()
      .waitFor();
    assert.deepEqual(await keys(bran.page), await keys(aoife.page));
    assert.equal(withoutOwner(await exportOpml(other)), withoutOwner(exported));
    assert.deepEqual(bran.complaints.all(), []);
  });

  test('and nothing went wrong in the page', () => assert.deepEqual(aoife.complaints.all(), []));
});

/** Numbers of folders and dates are each account's own. */
const withoutOwner = (opml: string): string => opml.replaceAll(/<head>[^]*<\/head>|guide_id="[fu]\d+"/g, '');
