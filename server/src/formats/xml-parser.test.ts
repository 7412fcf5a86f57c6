import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { type EventName, SaxesParser } from 'saxes';
import { createXmlParser } from './xml-parser.ts';

const EVENTS: readonly EventName[] = [
  'error',
  'doctype',
  'opentagstart',
  'attribute',
  'opentag',
  'closetag',
  'text',
  'cdata',
];

/** How V8 keeps an object: with places for its properties, or as a dictionary. */
function hasPlaces(object: object): boolean {
  setFlagsFromString('--allow-natives-syntax');
  // In a context of its own, which is made after the flag was set.
  const ask: unknown = runInNewContext('(object) => %HasFastProperties(object)');
  assert.ok(typeof ask === 'function');
  return Reflect.apply(ask, undefined, [object]) === true;
}

function listened(parser: SaxesParser<object>): SaxesParser<object> {
  for (const event of EVENTS) parser.on(event, () => undefined);
  return parser;
}

/** How many properties have a place V8 learns from the first ones that are made. */
const MADE_FIRST = 50;

test('a parser that is listened to stays a fast one', () => {
  for (let made = 0; made < MADE_FIRST; made += 1) void new SaxesParser({});
  assert.equal(
    hasPlaces(listened(new SaxesParser({}))),
    false,
    'it does so by itself: is ours still needed?',
  );
  for (let made = 0; made < MADE_FIRST; made += 1) assert.equal(hasPlaces(listened(createXmlParser())), true);
});
