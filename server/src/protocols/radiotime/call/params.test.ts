import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Fault } from '../../../lib/fault.ts';
import { HTTP_LIMITS } from '../../../net/http/limits.ts';
import { readParams } from './params.ts';

const read: [query: string, name: Lowercase<string>, value: string | undefined][] = [
  ['c=local', 'c', 'local'],
  ['PARTNERID=x', 'partnerid', 'x'],
  ['partnerId=x', 'partnerid', 'x'],
  ['&c=local', 'c', 'local'],
  ['c=local&', 'c', 'local'],
  ['?c=local', 'c', 'local'],
  ['??&&c=local&&', 'c', 'local'],
  ['id', 'id', undefined],
  ['id&call&c=local', 'c', 'local'],
  ['id=', 'id', undefined],
  ['username=&username=ann', 'username', 'ann'],
  ['username=ann&username=', 'username', 'ann'],
  ['', 'c', undefined],
  ['render=xml&render=json', 'render', 'json'],
  ['id=s1&id=s1', 'id', 's1'],
  ['query=bj%C3%B6rk%20%26%20rock', 'query', 'björk & rock'],
  ['query=rai+radio', 'query', 'rai radio'],
  ['query=a%2Bb', 'query', 'a+b'],
  ['query=x=y', 'query', 'x=y'],
  [Buffer.from('query=björk').toString('latin1'), 'query', 'björk'],
  ['query=bjo%CC%88rk', 'query', 'björk'],
  ['query=K%F6ln', 'query', 'Köln'],
  ['query=bj\xf6rk', 'query', 'björk'],
  ['query=%80uro+caf%E9', 'query', '€uro café'],
  ['query=K%F6ln&name=K%C3%B6ln', 'name', 'Köln'],
  [`query=${Buffer.from('björk').toString('latin1')}+K%C3%B6ln`, 'query', 'björk Köln'],
  ['query=100%', 'query', '100%'],
  ['query=100%%20NL', 'query', '100% NL'],
  ['query=%C0%AF', 'query', 'À¯'],
  ['query=R&B', 'query', 'R&B'],
  ['query=rock%20&%20pop', 'query', 'rock & pop'],
  ['query=drum+&+bass', 'query', 'drum & bass'],
  ['query=rock&roll&render=json', 'query', 'rock&roll'],
  ['query=rock&roll&render=json', 'render', 'json'],
  ['query=A&C&c=artist', 'query', 'A&C'],
  ['query=a&b+&+c', 'query', 'a&b & c'],
  ['query=pop%20&%20name', 'query', 'pop & name'],
  ['query=wnyc&call', 'query', 'wnyc'],
  ['query=jazz&serial=', 'query', 'jazz'],
  ['query=jazz&b=', 'query', 'jazz'],
  ['query=jazz&render=json&b', 'query', 'jazz'],
  ['query=R&', 'query', 'R'],
  ['artist=Simon%20&%20Garfunkel&title=Cecilia', 'artist', 'Simon & Garfunkel'],
  ['id=s1&b', 'id', 's1'],
  ['formats=wma%2Cmp3', 'formats', 'wma,mp3'],
  ['partner%49d=x', 'partnerid', 'x'],
  ['__proto__=x', '__proto__', 'x'],
  ['c=x', '__proto__', undefined],
  ['c=x', 'constructor', undefined],
];
for (const [query, name, value] of read) {
  test(`'${query}' has ${name} ${value}`, () => assert.equal(readParams(query).text(name), value));
}

const refused: [what: string, query: string, form?: string][] = [
  ['two different ids', 'id=s1&id=s2'],
  ['two different partners in two spellings', 'partnerId=a&PARTNERID=b'],
  ['two different users in query and form', 'username=a', 'username=b'],
  ['a NUL', 'id=s1%00'],
  ['a line feed', 'query=a%0Ab'],
  ['a bare control character', 'query=a\x01b'],
  ['a DEL', 'query=%7F'],
  ['a control character in a name', 'a%00b=c'],
  ['a control character in Latin-1', 'query=%F6%00'],
  ['too long a search in parts', `query=${'a'.repeat(2047)}&b`],
  ['too long a value', `name=${'a'.repeat(257)}`],
  ['too long a search', `query=${'a'.repeat(2049)}`],
  ['too long an address', `url=${'a'.repeat(2049)}`],
  ['too long a feedback', '', `text=${'a'.repeat(4001)}`],
  ['too many parameters', 'a=1&'.repeat(HTTP_LIMITS.maxParams + 1)],
  ['too many over query and form', 'a=1&'.repeat(HTTP_LIMITS.maxParams), 'b=1'],
  ['too long a query', `a=${'&'.repeat(HTTP_LIMITS.maxQueryCharacters)}`],
];
for (const [what, query, form] of refused) {
  test(`${what} is refused`, () => {
    assert.throws(
      () => readParams(query, form),
      (error) => error instanceof Fault && error.status === 400 && error.code === 'request.invalid',
    );
  });
}

test('the longest that is allowed is allowed', () => {
  assert.equal(readParams(`url=${'a'.repeat(2048)}`).text('url')?.length, 2048);
  assert.equal(readParams('', `text=${'a'.repeat(4000)}`).text('text')?.length, 4000);
  assert.equal(readParams('a=1&'.repeat(HTTP_LIMITS.maxParams)).text('a'), '1');
});

test('query and form are one set of parameters, and it is known which came in the address', () => {
  const params = readParams('c=auth&render=json&username=ann', 'username=ann&password=pa%24%24');
  assert.equal(params.text('c'), 'auth');
  assert.equal(params.text('password'), 'pa$$');
  assert.equal(params.isInQuery('password'), false);
  assert.equal(params.isInQuery('username'), true);
  assert.equal(readParams('password=x').isInQuery('password'), true);
  assert.deepEqual(params.listSecrets(), ['pa$$', 'ann']);
});

const number = (text: string): number | undefined => (/^\d+$/.test(text) ? Number(text) : undefined);

test('required and optional parse; a fault names the parameter and carries the code asked for', () => {
  const params = readParams('offset=26&limit=many');
  assert.equal(params.required('offset', number), 26);
  assert.equal(params.optional('start', number), undefined);
  assert.throws(() => params.optional('limit', number), { message: "Parameter 'limit' is malformed" });
  assert.throws(() => params.required('text', String, 'validation.feedback'), {
    message: "Required parameter 'text' not provided",
    code: 'validation.feedback',
  });
});

test('flags and lists', () => {
  const params = readParams('exact=1&flatten=TRUE&forward=no&deep=maybe&options=recurse:tuneShows,,%20x%20');
  assert.deepEqual(
    ['exact', 'flatten', 'forward', 'none'].map((name) => params.flag(name)),
    [true, true, false, false],
  );
  assert.throws(() => params.flag('deep'), Fault);
  assert.deepEqual(params.list('options'), ['recurse:tuneShows', 'x']);
  assert.deepEqual(params.list('none'), []);
});

test('a text goes on in its own part of the call only', () => {
  const params = readParams('query=rock', 'roll&render=json');
  assert.equal(params.text('query'), 'rock');
  assert.equal(params.isMentioned('roll'), true);
});

test('a name without a value is no parameter, but was mentioned', () => {
  const params = readParams('query=wnyc&Call&name=');
  assert.deepEqual(
    (['call', 'name'] as const).map((name) => [params.has(name), params.isMentioned(name)]),
    [
      [false, true],
      [false, true],
    ],
  );
  assert.equal(params.isMentioned('query'), false);
  assert.equal(readParams('query=wnyc').isMentioned('call'), false);
});
