import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { parseQuery, type ParsedQuery } from './parse-query.ts';

const NAMES = ['c', 'id', 'render', 'formats', 'partnerId', 'locale', 'username', 'latlon', 'query', 'title'];
const READ: readonly Lowercase<string>[] = [
  'c',
  'id',
  'render',
  'formats',
  'partnerid',
  'locale',
  'username',
  'latlon',
  'query',
  'title',
  'serial',
  'offset',
  'call',
];
const pair = fc
  .tuple(
    fc.constantFrom(...NAMES, 'serial', 'Serial', '%73erial', 'offset', 'call', ''),
    fc.constantFrom('=', ''),
    fc.constantFrom('', 'g1', 'a=*', '*', 'b%26c', 'de', 'mp3,aac', '1,2', 'x?y'),
  )
  .map((parts) => parts.join(''));

/** Everything that is said, by a query or by the same words in a form, which is always read from the beginning. */
function saidBy(read: () => ParsedQuery): unknown {
  try {
    const { params, ...reading } = read();
    const values = READ.map((name) => [params.text(name), params.has(name), params.isMentioned(name)]);
    return [values, READ.map((name) => params.optional(name, (text) => text)), params.listSecrets(), reading];
  } catch (error) {
    return String(error);
  }
}

test('devices of one kind, whose queries are read once, say what each query says', () => {
  fc.assert(
    fc.property(
      fc.array(pair, { maxLength: 5 }),
      fc.array(pair, { maxLength: 5 }),
      fc.constantFrom('0011aabbccdd', 'a', 'b', 'a:b', ''),
      (before, behind, serial) => {
        const query = [...before, `serial=${serial}`, ...behind].join('&');
        const expected = saidBy(() => parseQuery('', query));
        assert.deepEqual(
          saidBy(() => parseQuery(query)),
          expected,
        );
        assert.deepEqual(
          saidBy(() => parseQuery(query)),
          expected,
          'the second time',
        );
      },
    ),
    { numRuns: 2000 },
  );
});

test('a serial counts as a parameter, and is one that was in the address', () => {
  const most = Array.from({ length: 31 }, (_, number) => `p${number}=1`).join('&');
  assert.equal(parseQuery(`${most}&serial=ab`).globals.serial, 'ab');
  assert.throws(() => parseQuery(`${most}&more=1&serial=ab`), /More than 32 parameters/);
  assert.equal(parseQuery('id=g1&serial=ab').params.isInQuery('serial'), true);
  assert.equal(parseQuery('id=g1', 'serial=ab').params.isInQuery('serial'), false);
});
