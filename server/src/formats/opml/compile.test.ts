import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { chunksOf, compose, type Composed, fillIn, ownRoom, wrapInCallback } from './compile.ts';
import { type FieldValue, keptOutline, type OpmlDocument, type Outline, type Target } from './document.ts';
import { suffixOf } from './links.ts';
import { writeJson, writeJsonp } from './write-json.ts';
import { writeXml } from './write-xml.ts';

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.array(fc.nat(0xffff), { maxLength: 6 }).map((codes) => String.fromCharCode(...codes)),
);
const target: fc.Arbitrary<Target> = fc.record(
  {
    path: fc.constantFrom('/Browse.ashx', '/Tune.ashx'),
    params: fc.array(fc.tuple(text, text), { maxLength: 3 }),
    filter: text,
  },
  { requiredKeys: ['path', 'params'] },
);
const file = fc.record({ path: fc.constant('/logos/s1q.png') });
const place = fc.oneof(target, file, fc.record({ address: text }));
const field: fc.Arbitrary<FieldValue> = fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null), place);

const outline = fc.letrec<{ outline: Outline }>((tie) => ({
  outline: fc.record(
    {
      type: fc.constantFrom('link', 'audio', 'text', 'object', 'search', 'container'),
      text,
      target,
      bitrate: fc.integer(),
      guideId: text,
      subtext: text,
      key: text,
      image: fc.oneof(file, fc.record({ address: text })),
      isDefault: fc.boolean(),
      attributes: fc.constantFrom([['albumart.url', { path: '/art/' }]] as const, undefined),
      children: fc.array(tie('outline'), { maxLength: 4, depthIdentifier: 'tree' }),
      object: fc.record({
        element: fc.constantFrom('station', 'show', 'topic', 'nowplaying', 'audio'),
        fields: fc.array(fc.tuple(fc.constantFrom('guideId', 'name', 'isPreset'), field), { maxLength: 4 }),
      }),
    },
    { requiredKeys: ['text'] },
  ),
})).outline;
const document: fc.Arbitrary<OpmlDocument> = fc.record(
  {
    title: text,
    status: fc.constantFrom(200, 400),
    fault: text,
    faultCode: text,
    outlines: fc.array(outline, { maxLength: 6 }),
  },
  { requiredKeys: ['outlines'] },
);
const globals = fc.record(
  { formats: text, partnerId: text, serial: text, locale: text, username: text, latlon: text },
  { requiredKeys: [] },
);
const origin = 'http://radio.test';

const filled = (composed: Composed, suffix: string): string => fillIn(composed, suffix, ownRoom).toString();

test('a composed document with the suffix put in is the written document, byte for byte', () => {
  fc.assert(
    fc.property(document, globals, (value, caller) => {
      const suffix = suffixOf(caller);
      assert.equal(filled(compose('xml', value, origin), suffix), writeXml(value, { origin, suffix }));
      assert.equal(filled(compose('json', value, origin), suffix), writeJson(value, { origin, suffix }));
    }),
    { numRuns: 500 },
  );
});

test('a group that is written once has the links of each caller, whatever the length of the parameters', () => {
  const children = Array.from({ length: 9 }, (_, number): Outline => ({
    type: 'link',
    text: `Ü ${number}`,
    target: {
      path: '/Browse.ashx',
      params: [['id', `g${number}`]],
      filter: number % 2 === 0 ? 's' : undefined,
    },
  }));
  const kept = keptOutline({ text: 'Genres', key: 'related', children });
  const others: Outline[] = [{ type: 'text', text: 'before' }];
  for (const outlines of [[kept], [...others, kept], [kept, ...others], [kept, kept]])
    for (const suffix of [
      '',
      '&serial=1',
      '&serial=2',
      '&serial=22',
      '&serial=3',
      `&serial=${'4'.repeat(300)}`,
    ])
      for (const notation of ['xml', 'json'] as const) {
        const write = notation === 'xml' ? writeXml : writeJson;
        const own = { text: 'Genres', key: 'related', children };
        const plain = outlines.map((each) => (each === kept ? own : each));
        const expected = write({ outlines: plain }, { origin, suffix });
        for (let time = 0; time < 3; time += 1) {
          const composed = compose(notation, { outlines }, origin);
          assert.equal(filled(composed, suffix), expected);
          assert.equal(filled(chunksOf(composed), suffix), expected);
        }
      }
});

test('one composed menu serves callers with different parameters, kept or not', () => {
  const menu = { outlines: [{ text: 'Ü', type: 'link', target: { path: '/a', params: [] } }] } as const;
  const composed = compose('xml', menu, origin);
  const chunks = chunksOf(composed);
  assert.equal(chunks.byteLength, Buffer.byteLength(filled(composed, '')));
  for (const suffix of ['', '&', '&b', '&serial=1', "&serial=it's", '&username=ü']) {
    assert.equal(filled(composed, suffix), writeXml(menu, { origin, suffix }));
    assert.equal(filled(chunks, suffix), writeXml(menu, { origin, suffix }));
  }
});

test('the callback goes round the composed JSON', () => {
  for (const outlines of [[], [{ text: 'Ü', type: 'link', target: { path: '/a', params: [] } }] as const]) {
    const wrapped = wrapInCallback(compose('json', { outlines }, origin), 'RadioTime.r1');
    assert.equal(
      filled(wrapped, '&a=b'),
      writeJsonp({ outlines }, { origin, suffix: '&a=b' }, 'RadioTime.r1'),
    );
  }
});
