import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify';
import { waitUntil } from '../../../../scripts/services/service.ts';
import { withDeadline } from '../../../src/lib/deadlines/deadline.ts';
import { HTTP_LIMITS } from '../../../src/net/http/limits.ts';
import { databaseWait } from '../../../src/storage/db/wait-factor.ts';
import { auditMembers } from '../../database/schema/member-audit.ts';
import { type FaultKind, FAULTS, RequestCalls, withCalls } from './anomaly/failing-calls.ts';
import { findProblem, type Said, saidBy } from './anomaly/judge.ts';
import { type AnomalyRequest, Newcomer, requests } from './anomaly/requests.ts';
import { changes, rowReader, type Rows } from './anomaly/rows.ts';
import { type AnomalyWorld, anomalyWorld } from './anomaly/world.ts';

/**
 * Each request with its first call to PostgreSQL or Redis failing, then its second, until it needs no more.
 * Every way of failing at every call: `ANOMALIES=all node scripts/test.ts server/test/drills/away/anomaly-loop.test.ts`
 */
const IS_WHOLE = process.env['ANOMALIES'] === 'all';
/** An answer that is late by its own deadline is an answer; one that takes this much longer is none. */
const NEVER_MS = databaseWait(HTTP_LIMITS.callTimeoutMs) + 5000;
const MAX_CALLS = 60;

let world: AnomalyWorld;
/** Nothing fails there. */
let calm: FastifyInstance;
/** Asked for what belongs to a newcomer, of whom it has nothing in memory. */
let shared: FastifyInstance;
let readRows: () => Promise<Rows>;
before(async () => {
  world = await anomalyWorld();
  calm = world.freshApp();
  shared = world.freshApp();
  readRows = await rowReader(world.pool);
});
after(async () => {
  await calm.close();
  await shared.close();
  await world[Symbol.asyncDispose]();
});

interface Try {
  calls: RequestCalls;
  said: Said;
  changed: Record<string, number>;
  response: LightMyRequestResponse;
}

let people = 0;

/** Prepared while nothing fails, then asked of a service that has nothing in memory. */
async function attempt(
  { prepare, isForAll, next }: AnomalyRequest,
  failAt: number,
  kind: FaultKind,
): Promise<Try> {
  const who = new Newcomer(calm, (people += 1), world.stations);
  const request: InjectOptions = who.from(await prepare(who));
  const rowsBefore = await readRows();
  const calls = new RequestCalls(failAt, kind);
  const app = isForAll ? world.freshApp() : shared;
  await app.ready();
  const response = await withDeadline(
    withCalls(calls, async () => await app.inject(request)),
    NEVER_MS,
    () => new Error(`no answer, ${calls.failed} had failed`),
  );
  await waitUntil('the end of what goes on behind the answer', async () => calls.areOver, NEVER_MS);
  if (isForAll) await app.close();
  const { pool } = world;
  await waitUntil(
    'every connection to be given back',
    async () => pool.totalCount === pool.idleCount,
    NEVER_MS,
  );
  const said = saidBy(response);
  // Who is told so sends it again: then it is whole, and not there twice.
  if (said === 'unknown') await calm.inject(next ? who.from(next(who)) : request);
  return { calls, said, changed: changes(rowsBefore, await readRows()), response };
}

/** One way at each call in turn, and where a transaction ends every way. */
const kindsFor = (failAt: number, name: string | undefined): readonly FaultKind[] =>
  IS_WHOLE || name === 'COMMIT' ? FAULTS : [FAULTS[failAt % FAULTS.length]!];

test('whatever call fails, a request is answered, and done whole or not at all', async (t) => {
  const unsound = await auditMembers(world.pool);
  const problems: string[] = [];
  const totals = { requests: 0, tries: 0, done: 0, refused: 0, unknown: 0 };
  for (const request of requests(world.stationKey)) {
    totals.requests += 1;
    const untouched = await attempt(request, Infinity, 'cut');
    if (untouched.said !== (request.isRefused ? 'refused' : 'done'))
      problems.push(`${request.name}, untouched: ${untouched.response.body.slice(0, 300)}`);
    let failAt = 1;
    for (let isTouched = true; isTouched; failAt += 1) {
      for (const kind of kindsFor(failAt, untouched.calls.names[failAt - 1])) {
        const tried = await attempt(request, failAt, kind);
        isTouched = tried.calls.failed !== undefined;
        if (!isTouched) break;
        totals.tries += 1;
        totals[tried.said] += 1;
        const problem = findProblem(tried, untouched.changed);
        if (problem)
          problems.push(`${request.name}, call ${failAt} (${tried.calls.failed}) ${kind}: ${problem}`);
      }
      assert.ok(failAt < MAX_CALLS, `${request.name} never ends`);
    }
  }
  t.diagnostic(JSON.stringify(totals));
  assert.deepEqual(problems, []);
  assert.deepEqual(await auditMembers(world.pool), unsound, 'accounts are as sound as before');
});

test('the control: two steps without a transaction are found, whichever way the second fails', async () => {
  const { pool } = world;
  for (const kind of FAULTS) {
    const rowsBefore = await readRows();
    const add = (name: string): Promise<unknown> =>
      pool.query('INSERT INTO usernames VALUES ($1, 0)', [name]);
    const steps = withCalls(new RequestCalls(2, kind), async () => {
      await add(`first${FAULTS.indexOf(kind)}`);
      await add(`second${FAULTS.indexOf(kind)}`);
    });
    await assert.rejects(steps);
    const tried = {
      said: 'refused',
      changed: changes(rowsBefore, await readRows()),
      response: REFUSED,
    } as const;
    assert.match(findProblem(tried, { usernames: 2 }) ?? '', /^refused, and wrote \{"usernames":[12]\}/);
  }
});

const REFUSED = { statusCode: 503, headers: { 'content-type': 'application/json' }, body: '{}' };
