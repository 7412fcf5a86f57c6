import assert from 'node:assert/strict';
import { test } from 'node:test';
import { XmlError } from './characters.ts';
import { parseXml } from './parse.ts';

test('elements, attributes in their order, texts and entities are read', () => {
  const root = parseXml(
    `<?xml version="1.0" encoding="UTF-8"?>\n<!-- a - b --><a z="1" b='&lt;&amp;&#65;&#x1F4FB;'>\n<b/>x&gt;<c d = "e"  ></c >y<![CDATA[<&]]></a>\n`,
  );
  assert.equal(root.name, 'a');
  assert.deepEqual([...root.attributes], [['z', '1'], ['b', '<&A📻']]); // prettier-ignore
  assert.equal(root.text, '\nx>y<&');
  assert.deepEqual(
    root.children.map(({ name, attributes }) => [name, [...attributes]]),
    [
      ['b', []],
      ['c', [['d', 'e']]],
    ],
  );
});

const MALFORMED: [what: string, text: string, message: RegExp][] = [
  ['nothing', '', /expected a tag/],
  ['plain text', 'Not found', /expected a tag/],
  ['a byte order mark', '\ufeff<a/>', /byte order mark/],
  ['an end that is missing', '<a><b></a>', /<\/a> closes <b>/],
  ['an element that is not closed', '<a><b/>', /<a> is not closed/],
  ['an end tag too many', '<a/></a>', /nothing may follow/],
  ['a second root', '<a/><b/>', /nothing may follow/],
  ['text after the root', '<a/>x', /nothing may follow/],
  ['a bare ampersand in text', '<a>R & B</a>', /bare &/],
  ['a bare ampersand in an attribute', '<a u="?x=1&y=2"/>', /bare &/],
  ['an unknown entity', '<a>&eacute;</a>', /&eacute; is not defined/],
  ['an entity of Object.prototype', '<a>&constructor;</a>', /not defined/],
  ['a raw < in an attribute', '<a u="<"/>', /attribute or the end/],
  ['an attribute without quotes', '<a u=1/>', /attribute or the end/],
  ['an attribute without a value', '<a u/>', /attribute or the end/],
  ['an attribute twice', '<a u="1" u="2"/>', /u is given twice/],
  ['no space between attributes', '<a u="1"v="2"/>', /attribute or the end/],
  ['quotes of two kinds', `<a u="1'/>`, /attribute or the end/],
  ['a control character', '<a>\u0000</a>', /U\+0000/],
  ['a control character by number', '<a>&#0;</a>', /&#0; is no character/],
  ['a number beyond Unicode', '<a>&#x110000;</a>', /no character/],
  ['half a surrogate pair', '<a>\ud83d</a>', /U\+d83d/],
  ['a document type', '<!DOCTYPE a><a/>', /expected a tag/],
  ['a second declaration', '<?xml version="1.0"?><?xml version="1.0"?><a/>', /expected a tag/],
  ['a declaration that is not first', ' <?xml version="1.0"?><a/>', /expected a tag/],
  ['a comment in a comment', '<a><!-- a -- b --></a>', /expected a tag/],
  ['the end of CDATA in text', '<a>]]></a>', /\]\]> stands in text/],
  ['a name that starts with a digit', '<1a/>', /expected a tag/],
  ['a tag that is cut off', '<a b="1"', /the end of <a>/],
];
for (const [what, text, message] of MALFORMED) {
  test(`refused: ${what}`, () => {
    assert.throws(() => parseXml(text), { name: 'XmlError', message });
  });
}

test('depth is bounded and the place of a fault is told', () => {
  assert.throws(() => parseXml('<a>'.repeat(100_000)), /more than 50 deep/);
  assert.throws(() => parseXml('<a>\n<b>\n  <c x=1/>'), /^XmlError: line 3, column 5: /);
  assert.ok(new XmlError('x') instanceof Error);
});

test('a large document is read in linear time', () => {
  const many = `<a>${'<b c="d &amp; e"/>\n'.repeat(50_000)}</a>`;
  const start = performance.now();
  assert.equal(parseXml(many).children.length, 50_000);
  assert.ok(performance.now() - start < 5000);
});
