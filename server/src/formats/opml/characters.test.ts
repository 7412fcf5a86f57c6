import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cleanMarkupText, escapeJson, escapeXml } from './characters.ts';

test('what XML cannot carry is removed, the rest stays', () => {
  for (const [text, clean] of [
    ['plain', 'plain'],
    ['', ''],
    ['a\0b\x08c\x1fd', 'abcd'],
    ['half \ud83d of \udcfb one', 'half  of  one'],
    ['whole \ud83d\udcfb one', 'whole 📻 one'],
    ['\ud83d\0\udcfb', ''],
    ['non\ufffe\uffffcharacter', 'noncharacter'],
    ['\u{1fffe}\u{10ffff}', '\u{1fffe}\u{10ffff}'],
    ['\x7f\x80\x85\x9f\ufeff\ufffd', '\x7f\x80\x85\x9f\ufeff\ufffd'],
    ['\u202eright to left\u2066', '\u202eright to left\u2066'],
  ] as const) {
    assert.equal(cleanMarkupText(text), clean, JSON.stringify(text));
  }
});

test('a tab or a line break is one space', () => {
  assert.equal(cleanMarkupText('a\tb\nc\rd\r\ne'), 'a b c d e');
  assert.equal(cleanMarkupText('a\n\nb\n\rc'), 'a  b  c');
});

test('XML has the five named entities and no numeric one', () => {
  assert.equal(
    escapeXml(`<a href="x">R&B 'n' rock</a>`),
    '&lt;a href=&quot;x&quot;&gt;R&amp;B &apos;n&apos; rock&lt;/a&gt;',
  );
  assert.equal(escapeXml('&amp; ]]>'), '&amp;amp; ]]&gt;');
  assert.equal(escapeXml('Zürich\t東京 \ud83d\udcfb \ud83d'), 'Zürich 東京 📻 ');
});

test('JSON text is safe inside a script, and says the same as the XML', () => {
  assert.equal(escapeJson('a"b\\c/d'), String.raw`a\"b\\c/d`);
  assert.equal(escapeJson('</script>\u2028\u2029'), String.raw`\u003c/script>\u2028\u2029`);
  assert.equal(escapeJson('Zürich\t東京 \ud83d\udcfb \ud83d'), 'Zürich 東京 📻 ');
  assert.equal(escapeJson('[#]'), '[#]');
});
