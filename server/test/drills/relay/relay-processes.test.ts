import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
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
