import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { textOf } from './byte-text.ts';
import { compileJson, compileXml, flattened, splice, wrapInCallback } from './compile.ts';
import type { FieldValue, OpmlDocument, Outline, Target } from './document.ts';
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

test('a compiled document with the suffix put in is the written document, byte for byte', () => {
  fc.assert(
    fc.property(document, globals, (value, caller) => {
      const suffix = suffixOf(caller);
      assert.equal(textOf(splice(compileXml(value, origin), suffix)), writeXml(value, { origin, suffix }));
      assert.equal(textOf(splice(compileJson(value, origin), suffix)), writeJson(value, { origin, suffix }));
    }),
    { numRuns: 500 },
  );
});

test('one compiled menu serves callers with different parameters', () => {
  const menu = { outlines: [{ text: 'Ü', type: 'link', target: { path: '/a', params: [] } }] } as const;
  const chunks = compileXml(menu, origin);
  assert.deepEqual(splice(flattened(chunks), '&a=b'), splice(chunks, '&a=b'));
  assert.equal(chunks.byteLength, splice(chunks, '').length);
  for (const suffix of ['', '&serial=1', "&serial=it's", '&username=ü']) {
    assert.equal(textOf(splice(chunks, suffix)), writeXml(menu, { origin, suffix }));
  }
});

test('the callback goes round the compiled JSON', () => {
  for (const outlines of [[], [{ text: 'Ü', type: 'link', target: { path: '/a', params: [] } }] as const]) {
    const chunks = wrapInCallback(compileJson({ outlines }, origin), 'RadioTime.r1');
    assert.equal(
      textOf(splice(chunks, '&a=b')),
      writeJsonp({ outlines }, { origin, suffix: '&a=b' }, 'RadioTime.r1'),
    );
  }
});
