import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, afterEach, before, test } from 'node:test';
import { outcomeOf } from '../../../../test/apps/account-app.ts';
import { newAddress, type ReportApp, reportApp } from '../../../../test/apps/report-app.ts';

let radio: ReportApp;
before(async () => {
  radio = await reportApp();
});
after(() => radio[Symbol.asyncDispose]());
afterEach(() =>
  radio.database.pool.query('TRUNCATE stream_checks, counted_reports, reports RESTART IDENTITY'),
);

type Fields = Record<string, string>;
const ask = async (fields: Fields, from?: string): Promise<string> =>
  (await radio.say({ c: 'wizard', ...fields }, from)).body;
const tickets = async (): Promise<string[]> =>
  (
    await radio.database.pool.query<{ text: string }>(
      `SELECT item_kind || item_id || ' ' || message || ' ' || occurrences || ' ' || state AS text
       FROM reports WHERE kind = 'wizard' ORDER BY id`,
    )
  ).rows.map(({ text }) => text);

const golden = (file: string): string => join(import.meta.dirname, 'golden', file);
const MENUS: [file: string, fields: Fields][] = [
  ['station', { id: 's1', partnerId: 'maker' }],
  ['station-silent', { id: 's1', answer: 'silent' }],
  ['station-details', { id: 's1', answer: 'details' }],
  ['station-german', { id: 's1', locale: 'de' }],
  ['show', { id: 'p5' }],
  ['topic', { id: 't1029' }],
  ['thanks', { id: 's1', answer: 'details,logo' }],
  ['thanks-japanese', { id: 's1', answer: 'details,logo', locale: 'ja' }],
];
for (const [file, fields] of MENUS) {
  test(`the wizard says what its golden file has: ${file}`, async (t) => {
    const serializers = [String];
    t.assert.fileSnapshot(await ask(fields), golden(`${file}.opml`), { serializers });
    await radio.database.pool.query('TRUNCATE reports RESTART IDENTITY');
    t.assert.fileSnapshot(await ask({ ...fields, render: 'json' }), golden(`${file}.json`), { serializers });
  });
}

const linksIn = (body: string): string[] =>
  [...body.matchAll(/URL="http:\/\/radio\.test([^"]+)"/g)].map(([, url = '']) =>
    url.replaceAll('&amp;', '&'),
  );

/** Follows every link from every question. */
async function walk(url: string, ends: string[]): Promise<void> {
  const { body } = await radio.app.inject({
    url,
    headers: { host: 'radio.test', 'x-forwarded-for': newAddress() },
  });
  assert.equal(outcomeOf({ body }), '200', url);
  const links = linksIn(body);
  if (links.length === 0) {
    const [last = ''] = body.match(/<outline [^>]*\/>/g)?.slice(-1) ?? [];
    assert.match(last, /^<outline type="text" .*nav="stop"\/>$/, url);
    ends.push(url);
  }
  for (const link of links) await walk(link, ends);
}

for (const [id, ends] of [
  ['s1', 15],
  ['e12', 15],
  ['p5', 9],
  ['t1029', 9],
] as const) {
  test(`every path from ${id} ends with thanks and a ticket of its own`, async () => {
    const ended: string[] = [];
    await walk(`/Report.ashx?c=wizard&id=${id}`, ended);
    assert.equal(ended.length, ends);
    const made = await tickets();
    assert.equal(new Set(made).size, ends);
    assert.ok(made.every((ticket) => ticket.startsWith(`${id} `) && ticket.endsWith(' 1 open')));
  });
}

test('questions make no tickets', async () => {
  for (const answer of ['', 'silent', 'poor', 'other', 'details']) await ask({ id: 's1', answer });
  assert.deepEqual(await tickets(), []);
});

test('the same answer again has the same ticket', async () => {
  const from = newAddress();
  const first = await ask({ id: 's1', answer: 'unfit' }, from);
  assert.equal(await ask({ id: 's1', answer: 'unfit' }, from), first);
  assert.match(first, /Report number 1"/);
  assert.deepEqual(await tickets(), ['s1 unfit 2 open']);
});

const counted = async (): Promise<unknown[]> =>
  (await radio.database.pool.query('SELECT stream_id FROM counted_reports')).rows;

test('an answer that it does not play counts against the stream', async () => {
  await ask({ id: 's1', answer: 'details,name' });
  assert.deepEqual(await counted(), []);
  await ask({ id: 's1', answer: 'silent,nothing' });
  assert.deepEqual(await counted(), [{ stream_id: 11 }]);
});

const REFUSED: [fields: Fields, outcome: string][] = [
  [{}, '400 request.invalid'],
  [{ id: 's999' }, '400 request.idInvalid'],
  [{ id: 'r1' }, '400 request.idInvalid'],
  [{ id: 's1', answer: 'constructor' }, '400 request.invalid'],
  [{ id: 's1', answer: 'silent,silent' }, '400 request.invalid'],
  [{ id: 's1', answer: 'unfit,more' }, '400 request.invalid'],
  [{ id: 'p5', answer: 'other' }, '400 request.invalid'],
];
for (const [fields, outcome] of REFUSED) {
  test(`refused: ${JSON.stringify(fields)} is ${outcome}`, async () => {
    assert.equal(outcomeOf({ body: await ask(fields) }), outcome);
    assert.deepEqual(await tickets(), []);
  });
}
