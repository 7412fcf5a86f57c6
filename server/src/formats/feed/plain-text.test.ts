import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plainLine, plainText } from './plain-text.ts';

const TEXTS: [html: string, text: string][] = [
  ['<p>One</p>\n<p>Two &amp; <b>three</b></p>', 'One\n\nTwo & three'],
  ['plain\r\nlines  stay\n\n\n\nlines', 'plain\nlines stay\n\nlines'],
  ['a<br>b<BR />c', 'a\nb\nc'],
  ['<ul><li>x</li><li>y</li></ul>', 'x\n\ny'],
  ['1 < 2 <3 and <', '1 < 2 <3 and <'],
  ['before<script>alert("<p>")</script>after<style>p{}</style>.', 'beforeafter.'],
  ['a<!-- <b> -->b', 'ab'],
  ['a<!-- never closed', 'a'],
  ['cut <a href="x', 'cut'],
  ['&quot;caf&eacute;&quot;&#39;s &hearts; &unknown;', '"café"\'s ♥ &unknown;'],
  ['<![CDATA[x]]>y', '<![CDATA[x]]>y'],
  ['\u202egnirts\u202c &#1;&#0;', 'gnirts \ufffd'],
  ['<img src=x>', ''],
  ['', ''],
];
for (const [html, text] of TEXTS) {
  test(JSON.stringify(html), () => assert.equal(plainText(html, 1000), text));
}

test('a text is cut at a word, and between characters where there is none', () => {
  assert.equal(plainText('one two three', 9), 'one two…');
  assert.equal(plainText('x'.repeat(20), 9), `${'x'.repeat(8)}…`);
  assert.equal(plainText('😀'.repeat(20), 8).isWellFormed(), true);
  assert.equal(plainLine('one<br>two  three', 100), 'one two three');
});

test('time grows with the text, not with its square', () => {
  const hostile = ['<', '<a', '<!--', '<script>', '<script', '</', '&', '&amp', ' \n', '<p>'];
  for (const piece of hostile) {
    const started = process.cpuUsage();
    plainText(piece.repeat(2 ** 16), 10_000);
    const { user, system } = process.cpuUsage(started);
    assert.ok(user + system < 200_000, `${piece}: ${(user + system) / 1000} ms`);
  }
});
