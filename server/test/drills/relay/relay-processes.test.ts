import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Program } from '../../processes/program.ts';
import { waitFor } from '../../time/wait-until.ts';
import { addressesOf, listenTo, RELAY_KEY } from '../../relay/many-radios.ts';
import { type Farm, openFarm } from '../../streams/farm.ts';

/** Of the machine, however many processes there are. */
const MOST = 40;
const SHARED = 'Secure Harbour';
const EACH = 'Plain Harbour';

describe('a relay of two processes is one relay', () => {
  let farm: Farm;
  let relay: Program;
  before(async () => {
    farm = await openFarm({
      env: {
        RELAY: 'home',
        RELAY_KEY,
        RELAY_WORKERS: '2',
        RELAY_LISTENERS: `${MOST}`,
        RELAY_PER_ADDRESS: '1000',
      },
    });
    await farm.pool.query("UPDATE stations SET relay = 'shared' WHERE id = $1", [farm.idOf(SHARED).slice(1)]);
    relay = await farm.relay();
    await waitFor(relay, 'both processes', async () => times('"relaying"') === 2 || undefined);
  });
  after(() => farm[Symbol.asyncDispose]());

  const times = (text: string): number => relay.said().split(text).length - 1;
  /** A value of the one page of metrics. */
  const metric = async (name: string): Promise<number> => {
    const page = await farm.house.run('curl', ['-sS', '-m', '10', 'http://127.0.0.1:8705/metrics']);
    const line = page.split('\n').find((text) => text.startsWith(`longwave_relay_${name} `));
    return Number(line?.split(' ').at(-1) ?? 0);
  };
  const untilMetric = (name: string, value: number): Promise<unknown> =>
    waitFor(relay, `${name} to be ${value}`, async () => (await metric(name)) === value || undefined);
  /** Connections of listeners by the process that has them, as the system knows them. */
  const processes = async (): Promise<string[]> => {
    const all = await farm.house.run('bash', ['-c', 'pgrep -fa "[m]ain.ts relay [0-9]"']);
    return all.trim().split('\n');
  };

  test('those who share a station meet in one process: it is called once, and the limit is that of all', async () => {
    const heard = listenTo(farm, await addressesOf(farm, MOST + 10, SHARED), 8);
    await untilMetric('listeners', MOST);
    assert.equal(await metric('streams'), 1, 'the station is called once');
    const { listeners, closed, hanging } = await heard;
    assert.deepEqual([listeners, closed, hanging], [MOST + 10, 10, 0]);
    assert.equal(await metric('refused_total{why="full"}'), 10);
    await untilMetric('listeners', 0);
  });

  test('a process is killed: its radios alone are hung up on, their places are free, and it is replaced', async () => {
    const heard = listenTo(farm, await addressesOf(farm, MOST, EACH), 12);
    await untilMetric('listeners', MOST);
    const soFar = await metric('bytes_total{direction="in"}');
    assert.ok(soFar > 0);
    await farm.house.run('pkill', ['-KILL', '-f', '[m]ain.ts relay 1/2']);
    await waitFor(relay, 'another process', async () => times('"relaying"') === 3 || undefined);
    const left = await metric('listeners');
    assert.ok(left > 0 && left < MOST, `${left} of ${MOST} hear on`);
    assert.ok((await metric('bytes_total{direction="in"}')) >= soFar, 'what it counted is counted still');
    // As many as were hung up on may listen, and not one more.
    const again = listenTo(farm, await addressesOf(farm, MOST, SHARED), 3);
    await untilMetric('listeners', MOST);
    await again;
    const { playing, closed, hanging } = await heard;
    assert.deepEqual([playing, closed, hanging], [MOST, MOST - left, 0]);
    assert.equal((await processes()).length, 2);
  });

  test('what is counted stays when it is renewed', async () => {
    await untilMetric('listeners', 0);
    const counted = await metric('closed_total{why="listener"}');
    assert.ok(counted >= MOST, `${counted} have listened`);
    const renewed = times('has taken over');
    await farm.house.run('pkill', ['-o', '-HUP', '-f', 'main.ts relay']);
    await waitFor(relay, 'a renewal', async () => times('has taken over') === renewed + 2 || undefined);
    await waitFor(relay, 'two to be left', async () => (await processes()).length === 2 || undefined);
    assert.equal(await metric('closed_total{why="listener"}'), counted);
  });

  test('it is stopped in order while radios of both processes listen', async () => {
    const heard = listenTo(farm, await addressesOf(farm, 20, SHARED), 15);
    await untilMetric('listeners', 20);
    await farm.house.run('pkill', ['-o', '-TERM', '-f', 'main.ts relay']);
    await waitFor({ ...relay, hasEnded: () => false }, 'its end', async () => relay.hasEnded() || undefined);
    assert.equal((await heard).hanging, 0);
    assert.equal(times('"stopped"'), 2);
  });
});

/** Processor time of a process, in seconds: user and system are the 14th and 15th field, in hundredths. */
const USED = 'set -- $(cut -d")" -f2 /proc/$(pgrep -of "[m]ain.ts relay")/stat); echo $((${12} + ${13}))';
/** They are hung up on within a few milliseconds. */
const MAX_KEPT_MS = 5000;
const IDLE = `
  const { connect } = require('node:net');
  const [count, limit, forMs] = process.argv.slice(1).map(Number);
  let closed = 0;
  const startMs = performance.now();
  let closedMs = Infinity;
  for (let n = 0; n < count; n += 1)
    connect(8704, '127.0.0.1').on('error', () => undefined).resume().on('close', () => {
      if ((closed += 1) === count - limit) closedMs = performance.now() - startMs;
    });
  setTimeout(() => { console.log(JSON.stringify({ closed, closedMs })); process.exit(); }, forMs);`;

test('more connections than a relay takes are closed, and cost it nothing while the others stay', async (t) => {
  await using farm = await openFarm({
    env: { RELAY: 'home', RELAY_KEY, RELAY_WORKERS: '1', RELAY_LISTENERS: '20' },
  });
  await farm.relay();
  const used = async (): Promise<number> => Number(await farm.house.run('bash', ['-c', USED])) / 100;
  // Who sends no request is hung up on after ten seconds; a hundred more than may listen are taken.
  const idle = farm.house.run(process.execPath, ['-e', IDLE, '160', '120', '7000']);
  await sleep(2000);
  const usedBefore = await used();
  await sleep(2000);
  const seconds = (await used()) - usedBefore;
  const { closed, closedMs } = JSON.parse(await idle);
  t.diagnostic(`${closed} closed after ${closedMs} ms; ${seconds.toFixed(2)} s of work in two seconds`);
  assert.equal(closed, 40);
  assert.ok(closedMs < MAX_KEPT_MS, `the last of them after ${closedMs} ms`);
  assert.ok(seconds < 0.5, `the first process worked for ${seconds} s of two`);
});
