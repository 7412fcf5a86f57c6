import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { outcomeOf } from '../../../../test/apps/account-app.ts';
import { newAddress, type ReportApp, reportApp } from '../../../../test/apps/report-app.ts';
import { MAX_OPEN } from '../../../storage/catalog/reports.ts';
import { BUDGETS } from '../../../core/accounts/budgets.ts';

let radio: ReportApp;
before(async () => {
  radio = await reportApp();
});
after(() => radio[Symbol.asyncDispose]());
afterEach(() => radio.database.pool.query('TRUNCATE reports'));

type Fields = Record<string, string>;
const feedback = async (fields: Fields, from?: string): Promise<string> =>
  outcomeOf(await radio.post({ c: 'feedback', ...fields }, from));

interface Kept {
  item: string;
  message: string;
  contact: string | null;
  occurrences: number;
  state: string;
}
const kept = async (): Promise<Kept[]> =>
  (
    await radio.database.pool.query<Kept>(
      "SELECT item_kind || item_id AS item, message, contact, occurrences, state FROM reports WHERE kind = 'feedback' ORDER BY id",
    )
  ).rows;

test('feedback is kept as it was written, with the address to answer to', async () => {
  const text = `<b>Grüße</b> & =1+1 'x' "y" 日本`;
  const answer = await radio.post({ c: 'feedback', id: 's1', text, email: 'ann@mail.example' });
  assert.equal(outcomeOf(answer), '200');
  assert.doesNotMatch(answer.body, /<outline/, 'no body content');
  assert.deepEqual(await kept(), [
    { item: 's1', message: text, contact: 'ann@mail.example', occurrences: 1, state: 'open' },
  ]);
});

test('a query says the same as a form, and lines become one', async () => {
  const answer = await radio.say({ c: 'feedback', id: 'p5', feedback: 'one\r\ntwo\n\tthree' });
  assert.equal(outcomeOf(answer), '200');
  assert.deepEqual(
    (await kept()).map(({ item, message, contact }) => [item, message, contact]),
    [['p5', 'one two  three', null]],
  );
});

test('as much is kept as a form takes', async () => {
  assert.equal(await feedback({ id: 's1', text: 'ü'.repeat(4000) }), '200');
  assert.equal((await kept())[0]?.message.length, 4000);
  assert.equal(await feedback({ id: 's1', text: 'ü'.repeat(4001) }), '400 request.invalid');
});

test('without words the fault says what clients know', async () => {
  for (const text of [undefined, '', '   ']) {
    const { body } = await radio.post({ c: 'feedback', id: 's1', ...(text !== undefined && { text }) });
    assert.match(body, /<status>400<\/status>/);
    assert.match(body, /<fault>Required parameter &apos;feedback&apos; not provided<\/fault>/);
    assert.match(body, /<fault_code>validation\.feedback<\/fault_code>/);
  }
});

const REFUSED: [fields: Fields, outcome: string][] = [
  [{ text: 'x' }, '400 request.invalid'],
  [{ id: 's999', text: 'x' }, '400 request.idInvalid'],
  [{ id: 's1', text: 'x', email: 'nowhere' }, '400 validation.email'],
  [{ id: 's1', text: 'x', email: `${'a'.repeat(250)}@b.example` }, '400 request.invalid'],
  [{ id: 's1', text: 'http://a http://b https://c www.d' }, '500 validation.feedbackRejected'],
];
for (const [fields, outcome] of REFUSED) {
  test(`refused: ${JSON.stringify(fields).slice(0, 60)} is ${outcome}`, async () => {
    assert.equal(await feedback(fields), outcome);
    assert.deepEqual(await kept(), []);
  });
}

test('an address with both its scheme and www is one', async () => {
  const moved = 'from http://www.a.example/live to https://WWW.b.example/live, says www.c.example';
  assert.equal(await feedback({ id: 's1', text: moved }), '200');
  assert.equal(
    await feedback({ id: 's1', text: `${moved} and http://www.d.example` }),
    '500 validation.feedbackRejected',
  );
});

test('a station that is kept but cannot be heard can be spoken of', async () => {
  assert.equal(await feedback({ id: 's3', text: 'where is it?' }), '200');
});

test('the same words again are counted, other words are kept', async () => {
  const from = newAddress();
  for (const text of ['a', 'a', 'b']) await feedback({ id: 's1', text }, from);
  assert.deepEqual(
    (await kept()).map(({ message, occurrences }) => [message, occurrences]),
    [
      ['a', 2],
      ['b', 1],
    ],
  );
});

test('the same words again may say how to reach whoever says them; not once they are settled', async () => {
  const from = newAddress();
  const reach = async (email?: string): Promise<string | null | undefined> => {
    await feedback({ id: 's1', text: 'a', ...(email !== undefined && { email }) }, from);
    return (await kept())[0]?.contact;
  };
  assert.equal(await reach(), null);
  assert.equal(await reach('ann@mial.example'), 'ann@mial.example');
  assert.equal(await reach('ann@mail.example'), 'ann@mail.example');
  assert.equal(await reach(), 'ann@mail.example');
  await radio.database.pool.query("UPDATE reports SET state = 'settled', contact = NULL");
  assert.equal(await reach('ann@mail.example'), null);
});

test('a house says ten things an hour; what is refused costs nothing', async () => {
  const from = newAddress();
  for (let n = 0; n < 20; n += 1) await feedback({ id: 's1', text: '' }, from);
  for (let n = 0; n < BUDGETS.ticket[0].burst; n += 1)
    assert.equal(await feedback({ id: 's1', text: `${n}` }, from), '200');
  const { statusCode, headers } = await radio.post({ c: 'feedback', id: 's1', text: 'one more' }, from);
  assert.deepEqual([statusCode, Number(headers['retry-after']) > 60], [429, true]);
  assert.equal(
    (await radio.say({ c: 'wizard', id: 's1', answer: 'unfit' }, from)).statusCode,
    429,
    'tickets of the wizard are among the ten',
  );
  assert.equal(await feedback({ id: 's1', text: 'another house' }), '200');
  radio.clock.advance({ minutes: 7 });
  assert.equal(await feedback({ id: 's1', text: 'later' }, from), '200');
});

test('when more wait than anybody reads, the next is rejected until some are settled', async () => {
  const { pool } = radio.database;
  const from = newAddress();
  assert.equal(await feedback({ id: 's1', text: 'the last' }, from), '200');
  await pool.query(
    `INSERT INTO reports (kind, address, dedupe_key) SELECT 'stream', 'x', gen_random_uuid() FROM generate_series(2, ${MAX_OPEN})`,
  );
  assert.equal(await feedback({ id: 's1', text: 'the last' }, from), '200', 'it is among those that wait');
  assert.equal(await feedback({ id: 's1', text: 'x' }), '500 validation.feedbackRejected');
  const wizard = await radio.say({ c: 'wizard', id: 's1', answer: 'unfit' });
  assert.equal(outcomeOf(wizard), '500 validation.feedbackRejected');
  const failure = await radio.say({ c: 'stream', url: 'http://new.example.net/', error: '1' });
  assert.equal(outcomeOf(failure), '200', 'a radio can do nothing about it');
  await pool.query("UPDATE reports SET state = 'settled' WHERE id = (SELECT max(id) FROM reports)");
  assert.equal(await feedback({ id: 's1', text: 'x' }), '200');
});
