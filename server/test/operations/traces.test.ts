import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';
import { readConfig } from '../../src/app/config.ts';
import { openTraces } from '../../src/app/watch.ts';
import { addPartner } from '../../src/core/accounts/partners/partners.ts';
import { createLog } from '../../src/lib/log.ts';
import { Metrics } from '../../src/net/http/metrics.ts';
import { Traces } from '../../src/net/traces.ts';
import { waitUntil } from '../time/wait-until.ts';
import { seededDatabase, testDatabase, type TestDatabase } from '../database/database.ts';
import { closedPort, portOf } from '../servers/port-of.ts';
import { type ServiceProcess, startService } from '../processes/service-process.ts';

interface SentSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: { key: string; value: Record<string, string> }[];
  status: { code?: number };
}

/** The JSON form of opentelemetry.proto.trace.v1.Span and what is around it: names, hexadecimal ids, 64-bit numbers as text. */
const FIELDS = [
  'traceId',
  'spanId',
  'parentSpanId',
  'name',
  'kind',
  'startTimeUnixNano',
  'endTimeUnixNano',
  'attributes',
  'status',
];

function readSpans(body: string): SentSpan[] {
  const sent = JSON.parse(body);
  assert.deepEqual(Object.keys(sent), ['resourceSpans']);
  const [{ resource, scopeSpans }] = sent.resourceSpans;
  assert.deepEqual(resource.attributes[0], { key: 'service.name', value: { stringValue: 'longwave' } });
  const spans: SentSpan[] = scopeSpans[0].spans;
  for (const span of spans) {
    assert.deepEqual(
      Object.keys(span).filter((field) => !FIELDS.includes(field)),
      [],
    );
    assert.match(span.traceId, /^[0-9a-f]{32}$/);
    assert.match(span.spanId, /^[0-9a-f]{16}$/);
    assert.ok(span.kind === 2 || span.kind === 3);
    assert.match(span.startTimeUnixNano, /^\d{19}$/);
    assert.ok(BigInt(span.endTimeUnixNano) >= BigInt(span.startTimeUnixNano));
    for (const { key, value } of span.attributes) {
      assert.match(key, /^[a-z][a-z._]+$/);
      assert.match(Object.keys(value).join(), /^(?:stringValue|intValue)$/);
      assert.equal(typeof Object.values(value)[0], 'string');
    }
  }
  return spans;
}

const spans: SentSpan[] = [];
const bodies: string[] = [];
const collector = createServer((request, response) => {
  let body = '';
  request.on('data', (bytes: Buffer) => (body += bytes.toString()));
  request.on('end', () => {
    assert.equal(request.headers['content-type'], 'application/json');
    bodies.push(body);
    spans.push(...readSpans(body));
    response.setHeader('content-type', 'application/json').end('{"partialSuccess":{}}');
  });
});

let database: TestDatabase;
let service: ServiceProcess;
before(async () => {
  collector.listen(0, '127.0.0.1');
  await once(collector, 'listening');
  database = await seededDatabase();
  service = await startService(database.url, {
    MEMBER_KEY: 'a key for traces, which protects nobody',
    TRACES_URL: `http://127.0.0.1:${portOf(collector)}/v1/traces`,
    TRACES_PERCENT: '0',
  });
});
after(async () => {
  await service[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
  collector.close();
});

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const parent = '00f067aa0ba902b7';

test('a call whose caller traces it is a span of that trace, with its statements below it, and no query string', async () => {
  const url = `${service.origin}/Search.ashx?query=secretword&partnerId=demo`;
  await fetch(url, { headers: { traceparent: `00-${traceId}-${parent}-01` } });
  await fetch(url, { headers: { traceparent: `00-${traceId.replace('4', '5')}-${parent}-00` } });
  const call = await waitUntil('the span of the call', async () => spans.find(({ kind }) => kind === 2));
  assert.equal(call.traceId, traceId);
  assert.equal(call.parentSpanId, parent);
  assert.equal(call.name, 'GET /Search.ashx');
  const values = new Map(call.attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
  assert.equal(values.get('http.route'), '/Search.ashx');
  assert.equal(values.get('http.response.status_code'), '200');
  const statements = spans.filter(({ kind }) => kind === 3);
  assert.ok(statements.length > 0);
  for (const statement of statements) {
    assert.equal(statement.traceId, traceId);
    assert.equal(statement.parentSpanId, call.spanId);
  }
  assert.doesNotMatch(bodies.join(), /secretword|partnerId|SELECT/);
  assert.ok(
    spans.every((span) => span.traceId === traceId),
    'what the caller does not trace is not sent',
  );
});

test('the statements of a transaction are spans of the call, from its beginning to its end', async () => {
  await addPartner(database.pool, { id: 'traced', name: 'Traced' });
  const { rows } = await database.pool.query<{ id: number }>('SELECT id FROM stations ORDER BY id LIMIT 1');
  const ofPreset = '6bf92f3577b34da6a3ce929d0e0e4736';
  // A button that is asked for may move others, so several statements are one transaction.
  const response = await fetch(
    `${service.origin}/Preset.ashx?c=add&id=s${rows[0]?.id}&presetNumber=3&partnerId=traced&serial=tracedserial`,
    { headers: { traceparent: `00-${ofPreset}-${parent}-01` } },
  );
  assert.match(await response.text(), /<status>200<\/status>/);
  const call = await waitUntil('the span of the call', async () =>
    spans.find((span) => span.traceId === ofPreset && span.kind === 2),
  );
  const names = spans.filter((span) => span.parentSpanId === call.spanId).map(({ name }) => name);
  const [begin, commit] = [names.indexOf('BEGIN'), names.lastIndexOf('COMMIT')];
  assert.ok(begin !== -1 && commit > begin + 1, names.join());
  // On the pool each statement is told once, though the pool runs it on a connection too.
  const outside = names.slice(0, begin);
  assert.equal(new Set(outside).size, outside.length, outside.join());
  assert.doesNotMatch(bodies.join(), /tracedserial|INSERT|SELECT/);
});

test('without TRACES_URL nothing is replaced or listened to, so statements cost what they did', async () => {
  await using other = await testDatabase();
  const { pool } = other;
  const config = readConfig({ DATABASE_URL: other.url });
  assert.equal(openTraces(config, { metrics: new Metrics(), pool, log }), undefined);
  assert.ok(!Object.hasOwn(pool, 'query'));
  assert.equal(pool.listenerCount('acquire'), 0);
  const client = await pool.connect();
  assert.ok(!Object.hasOwn(client, 'query'));
  client.release();
});

const CALL = { method: 'GET', route: '/Browse.ashx', c: '', status: 200, opmlStatus: 200, elapsedMs: 3 };
const log = createLog({ level: 'silent' });

test('failed and slow calls are always sent, others by percentage', async () => {
  const earlier = spans.length;
  const url = `http://127.0.0.1:${portOf(collector)}/v1/traces`;
  await using traces = new Traces({ url, percent: 0, log });
  traces.end(traces.begin(undefined), CALL);
  traces.end(traces.begin('not a traceparent'), { ...CALL, opmlStatus: 503 });
  traces.end(traces.begin(undefined), { ...CALL, elapsedMs: 1500 });
  await traces.flush();
  assert.deepEqual(
    spans.slice(earlier).map(({ status }) => status),
    [{ code: 2 }, {}],
  );
  assert.deepEqual(traces.counts, { sent: 2, dropped: 0 });
});

test('without a collector nothing piles up: what does not fit and what is not taken is dropped and counted', async () => {
  const url = `http://127.0.0.1:${await closedPort()}/v1/traces`;
  await using traces = new Traces({ url, percent: 100, log, maxQueued: 100 });
  for (let call = 0; call < 150; call += 1) traces.end(traces.begin(undefined), CALL);
  assert.deepEqual(traces.counts, { sent: 0, dropped: 50 });
  await traces.flush();
  assert.deepEqual(traces.counts, { sent: 0, dropped: 150 });
});
