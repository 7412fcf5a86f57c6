import assert from 'node:assert/strict';
import { Agent, request } from 'node:http';
import { after, before, test } from 'node:test';
import { addPartner } from '../../../src/core/accounts/partners/partners.ts';
import { BUDGETS } from '../../../src/core/accounts/budgets.ts';
import { MEMBER_KEY } from '../../apps/account-app.ts';
import { type SeededDirectory, seededDirectory } from '../../content/seeded-directory.ts';
import { type ServiceProcess, startService } from '../../processes/service-process.ts';

/** `REPORT_FLOOD=100000 node scripts/test.ts server/test/drills/load/report-flood.test.ts` */
const REPORTS = Number(process.env['REPORT_FLOOD'] ?? 10_000);
const CONCURRENCY = 50;

let seeded: SeededDirectory;
let service: ServiceProcess;
let agent: Agent;
/** What station 1 is heard at before the flood. */
let given: string[];
before(async () => {
  seeded = await seededDirectory();
  await addPartner(seeded.database.pool, { id: 'maker', name: 'A maker' });
  service = await startService(seeded.database.url, { MEMBER_KEY });
  agent = new Agent({ keepAlive: true, maxSockets: CONCURRENCY });
});
after(async () => {
  agent.destroy();
  await service[Symbol.asyncDispose]();
  await seeded[Symbol.asyncDispose]();
});

/** The status of HTTP, and the body. */
function send(path: string, by = agent): Promise<[status: number, body: string]> {
  return new Promise((resolve, reject) => {
    request(service.origin + path, { agent: by }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text: string) => (body += text));
      response.on('end', () => resolve([response.statusCode ?? 0, body]));
    })
      .on('error', reject)
      .end();
  });
}

/** A lie about the first stream of station 1, as if another device and another listener told it each time. */
function lie(n: number, address: string): string {
  const who = `partnerId=maker&serial=invented-${n}&username=user${n}`;
  const url = encodeURIComponent(address);
  return [
    `/Report.ashx?c=stream&id=s1&error=${n}&${who}`,
    `/Report.ashx?c=stream&url=${url}&message=lie+${n}&${who}`,
    `/Report.ashx?c=wizard&id=s1&answer=silent,nothing&${who}`,
    `/Report.ashx?c=feedback&id=s1&text=lie+${n}&${who}`,
    `/Report.ashx?c=stream&url=http%3A%2F%2Finvented.example%2F${n}&error=1&${who}`,
  ][n % 5]!;
}

const playlist = async (): Promise<string[]> => (await send('/Tune.ashx?id=s1'))[1].trim().split('\n');

test('ten thousand lies from one address move a stream as far as one', async (t) => {
  const { pool } = seeded.database;
  given = await playlist();
  const [first = ''] = given;
  const { rows } = await pool.query<{ id: number; reliability: number }>(
    'SELECT id, reliability FROM streams WHERE address = $1',
    [first],
  );
  const stream = rows[0] ?? assert.fail(`nobody has ${first}`);
  const statuses = new Map<number, number>();
  let sent = 0;
  const liar = async (): Promise<void> => {
    while (sent < REPORTS) {
      const [status] = await send(lie(sent++, first));
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  };
  const startMs = performance.now();
  await Promise.all(Array.from({ length: CONCURRENCY }, liar));
  const seconds = (performance.now() - startMs) / 1000;
  t.diagnostic(
    `${sent} lies in ${seconds.toFixed(1)} s: ${[...statuses].map(([s, n]) => `${n} x ${s}`).join(', ')}`,
  );
  assert.deepEqual(new Set(statuses.keys()), new Set([200, 429]));

  const counted = await pool.query('SELECT stream_id FROM counted_reports');
  assert.deepEqual(counted.rows, [{ stream_id: stream.id }]);
  const { rows: checks } = await pool.query<{ standing: number }>('SELECT standing FROM stream_checks');
  assert.deepEqual(
    checks.map(({ standing }) => Math.round(standing)),
    [Math.round(stream.reliability * 0.79)],
  );
  const kept = await pool.query('SELECT FROM reports');
  // What a bucket gains while the flood lasts.
  const most = BUDGETS.ticket[0].burst + BUDGETS.streamReport[0].burst + Math.ceil(seconds / 20);
  assert.ok((kept.rowCount ?? 0) <= most, `${kept.rowCount} of at most ${most} are kept`);
});

test('the station is given as before, and a listener elsewhere is heard', async () => {
  assert.deepEqual(await playlist(), given);
  const elsewhere = new Agent({ localAddress: '127.77.1.1' });
  const [status] = await send('/Report.ashx?c=stream&id=s1&error=1', elsewhere);
  assert.equal(status, 200);
  const { rowCount } = await seeded.database.pool.query('SELECT FROM counted_reports');
  assert.equal(rowCount, 2);
});
