import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writeJson } from '../../../formats/opml/write-json.ts';
import { writeXml } from '../../../formats/opml/write-xml.ts';
import type { OpmlDocument } from '../../../formats/opml/document.ts';
import { linkOutline } from '../../../formats/opml/outlines.ts';
import { MenuCache } from './menu-cache.ts';

const documentOf = (title: string): OpmlDocument => ({
  title,
  outlines: [linkOutline('Ä', { path: '/Browse.ashx', params: [['c', 'a']] })],
});

function counted() {
  const made: string[] = [];
  const answer = (menu: string) => ({
    menu,
    document: () => {
      made.push(menu);
      return documentOf(menu);
    },
  });
  return { made, answer };
}

const anyone = { origin: 'http://a.example', suffix: '&partnerId=x', isPersonal: false };
const ann = { origin: 'http://a.example', suffix: '&partnerId=x&serial=ann', isPersonal: true };
const bob = { ...ann, suffix: '&partnerId=x&serial=bob' };

test('a menu that is asked for again is kept for all callers, and each gets its own links', () => {
  const { made, answer } = counted();
  const menus = new MenuCache(1_000_000);
  for (const links of [ann, bob, ann, bob, ann]) {
    assert.equal(String(menus.bytes(answer('m'), 'xml', links)), writeXml(documentOf('m'), links));
    assert.equal(String(menus.bytes(answer('m'), 'json', links)), writeJson(documentOf('m'), links));
  }
  assert.deepEqual(made, ['m', 'm', 'm', 'm'], 'twice for each notation: to be sent, and to be kept');
});

test('the finished bytes are kept only where they name nobody', () => {
  const { answer } = counted();
  const menus = new MenuCache(1_000_000);
  const [first, second, third] = [1, 2, 3].map(() => menus.bytes(answer('m'), 'xml', anyone));
  assert.notEqual(first, second, 'nobody knew yet that it would be asked for again');
  assert.equal(second, third);
  const [anns, again] = [1, 2].map(() => menus.bytes(answer('m'), 'xml', ann));
  assert.notEqual(anns, again, 'made for the one who asks');
});

test('callers with suffixes of any length, one after the other, never see each other', () => {
  const { answer } = counted();
  const menus = new MenuCache(1_000_000);
  const callers = Array.from({ length: 200 }, (_, n) => ({
    ...ann,
    suffix: `&serial=${'x'.repeat(n % 7)}${n}`,
  }));
  // Each is read before the next is made, as the server does: they share their memory.
  for (const links of callers)
    assert.equal(String(menus.bytes(answer('m'), 'xml', links)), writeXml(documentOf('m'), links));
});

test('radios of two kinds, whose serials differ in length, get their own links in any order', () => {
  const { answer } = counted();
  const menus = new MenuCache(1_000_000);
  const longer = { ...ann, suffix: '&partnerId=x&serial=00-11-22-33-44-55' };
  for (const links of [ann, bob, ann, bob, longer, ann, longer, longer, longer, bob, ann])
    assert.equal(String(menus.bytes(answer('m'), 'xml', links)), writeXml(documentOf('m'), links));
});

test('a suffix of any length gets its links, also one too long to keep a form for', () => {
  const { answer } = counted();
  const menus = new MenuCache(1_000_000);
  for (const length of [0, 1, 2, 3, 4, 5, 199, 200, 201, 5000]) {
    const links = { ...ann, suffix: '&'.padEnd(length, 'x').slice(0, length) };
    assert.equal(String(menus.bytes(answer('m'), 'xml', links)), writeXml(documentOf('m'), links));
    assert.equal(String(menus.bytes(answer('m'), 'json', links)), writeJson(documentOf('m'), links));
  }
});

test('hosts, notations and menus are apart', () => {
  const { made, answer } = counted();
  const menus = new MenuCache(1_000_000);
  menus.bytes(answer('m'), 'xml', anyone);
  const elsewhere = menus.bytes(answer('m'), 'xml', { ...anyone, origin: 'http://b.example' });
  assert.match(String(elsewhere), /http:\/\/b\.example/);
  menus.bytes(answer('n'), 'xml', anyone);
  for (const menu of ['m', 'n', 'm', 'n']) menus.bytes(answer(menu), 'xml', anyone);
  assert.deepEqual(made, ['m', 'm', 'n', 'm', 'n']);
});

test('what is kept has an end, and 0 keeps nothing', () => {
  const { made, answer } = counted();
  const small = new MenuCache(10_000);
  const ask = (menu: string): unknown => small.bytes(answer(menu), 'xml', ann);
  for (let n = 0; n < 1000; n++) for (const menu of [`m${n}`, `m${n}`]) ask(menu);
  assert.equal(made.length, 2000);
  ask('m999');
  assert.equal(made.length, 2000, 'kept');
  ask('m0');
  assert.equal(made.length, 2001, 'made anew');
  const none = new MenuCache(0);
  for (const menu of ['x', 'x', 'x']) none.bytes(answer(menu), 'xml', anyone);
  assert.equal(made.length, 2004);
});
