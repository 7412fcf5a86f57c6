import assert from 'node:assert/strict';
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { RelayKeys } from '../../../src/core/streams/relay/relay-address.ts';
import type { Program } from '../../processes/program.ts';
import { waitFor } from '../../time/wait-until.ts';
import type { HeardByMany } from '../../streams/drive-listeners.ts';
import { addressesOf as addressesAt, listenTo as listenAt, RELAY_KEY } from '../../relay/many-radios.ts';
import { type Farm, openFarm } from '../../streams/farm.ts';

/** Processes at work: RELAY_WORKERS=1 has all meet in one. */
const WORKERS = Number(process.env['RELAY_WORKERS'] ?? 2);
/** Long form: HANDED_OVER=5000. */
const LISTENERS = Number(process.env['HANDED_OVER'] ?? 300);
const SECONDS = 20 + LISTENERS / 50;
/** Alone on a machine it is at most 1.5 s; here others work beside it. */
const MAX_SILENCE_MS = process.env['HANDED_OVER'] === undefined ? 10_000 : 1500;

describe('a relay that is renewed under its listeners', () => {
  let farm: Farm;
  let relay: Program;
  before(async () => {
    const most = `${LISTENERS + 100}`;
    farm = await openFarm({
      env: {
        RELAY: 'home',
        RELAY_KEY,
        RELAY_CONNECTIONS: 'shared',
        RELAY_LISTENERS: most,
        RELAY_PER_ADDRESS: most,
        RELAY_WORKERS: `${WORKERS}`,
      },
    });
    relay = await farm.relay();
    await farm.icecast.setTitle('/mp3', 'Ana Moura - Dia de Folga');
  });
  after(() => farm[Symbol.asyncDispose]());

  const addressesOf = (count: number): Promise<string> => addressesAt(farm, count);
  const listenTo = (file: string, seconds = SECONDS): Promise<HeardByMany> => listenAt(farm, file, seconds);
  /** Of the first process, which is the oldest. */
  const signal = (name: string): Promise<string> =>
    farm.house.run('pkill', ['-o', `-${name}`, '-f', 'main.ts relay']);
  const processes = async (): Promise<number> =>
    Number(await farm.house.run('bash', ['-c', 'pgrep -fc "[m]ain.ts relay"']));
  const untilAtWork = (): Promise<unknown> =>
    waitFor(
      relay,
      'the processes at work beside the first',
      async () => (await processes()) === 1 + WORKERS || undefined,
    );
  const times = (text: string): number => relay.said().split(text).length - 1;

  test(`hands ${LISTENERS} over to a new process, twice, and none of them is hung up on`, async (t) => {
    const heard = listenTo(await addressesOf(LISTENERS));
    await sleep(LISTENERS * 4 + 4000);
    await signal('HUP');
    await waitFor(
      relay,
      'the old process to end',
      async () => times('has taken over') === WORKERS || undefined,
    );
    // At once: some are still being taken over.
    await signal('HUP');
    const { playing, closed, longestSilenceMs, titles } = await heard;
    t.diagnostic(
      `${playing} listened, ${closed} were hung up on, the longest silence was ${longestSilenceMs} ms`,
    );
    assert.equal(playing, LISTENERS);
    assert.equal(closed, 0);
    assert.deepEqual(titles, ['Ana Moura - Dia de Folga'], 'no unit was cut in the middle');
    assert.ok(longestSilenceMs < MAX_SILENCE_MS, `${longestSilenceMs} ms of silence`);
    await waitFor(
      relay,
      'the second to end',
      async () => times('has taken over') === 2 * WORKERS || undefined,
    );
    assert.equal(times('"relaying"'), 3 * WORKERS);
    await untilAtWork();
  });

  test('a process that is killed is replaced, and the next radio is served', async () => {
    await farm.house.run('pkill', ['-n', '-KILL', '-f', 'main.ts relay']);
    await waitFor(relay, 'another process', async () => times('"relaying"') === 1 + 3 * WORKERS || undefined);
    const { playing } = await listenTo(await addressesOf(1), 3);
    assert.equal(playing, 1);
  });

  test('PostgreSQL away: who listens hears on, a stream that is known is played, any other is told to come again', async () => {
    const socket = join(farm.house.folder, '.s.PGSQL.5432');
    const heard = listenTo(await addressesOf(20), 8);
    await sleep(2000);
    renameSync(socket, `${socket}.away`);
    await farm.pool.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'longwave relay' AND datname = current_database()",
    );
    const joined = await listenTo(await addressesOf(2), 2);
    const other = new RelayKeys(RELAY_KEY).sign(
      { streamId: 1_000_000, variant: 'c', who: 'abcdefgh', format: 'mp3' },
      Date.now() + 3_600_000,
    );
    const told = await farm.house.run('curl', ['-sS', '-m', '20', `http://127.0.0.1:8704${other}`]);
    renameSync(`${socket}.away`, socket);
    const { playing, closed } = await heard;
    assert.deepEqual([playing, closed, joined.playing], [20, 0, 2]);
    assert.match(told, /the directory cannot be asked just now/);
    const ask = (): Promise<string> =>
      farm.house.run('curl', ['-sS', '-m', '20', `http://127.0.0.1:8704${other}`]);
    await waitFor(
      relay,
      'the database to be asked again',
      async () => (await ask()).includes('no such stream') || undefined,
    );
  });

  test('ten signals in a row, at any moment: nobody is hung up on, and one process is at work in the end', async () => {
    const heard = listenTo(await addressesOf(100), 15);
    await sleep(3000);
    for (let n = 0; n < 10; n += 1) {
      await signal('HUP');
      await sleep(700);
    }
    const { playing, closed, hanging, titles } = await heard;
    assert.deepEqual([playing, closed, hanging], [100, 0, 0]);
    assert.deepEqual(titles, ['Ana Moura - Dia de Folga'], 'no unit was cut in the middle');
    await untilAtWork();
  });

  test('the new process is killed while it takes over: the first goes on, nobody is left without sound and without an end', async () => {
    const heard = listenTo(await addressesOf(LISTENERS), 16 + LISTENERS / 100);
    await sleep(LISTENERS * 4 + 3000);
    const starts = times('"relaying"');
    await signal('HUP');
    await waitFor(relay, 'the new process', async () => times('"relaying"') > starts || undefined);
    await farm.house.run('pkill', ['-n', '-KILL', '-f', 'main.ts relay']);
    await waitFor(relay, 'another one', async () => times('"relaying"') > starts + 1 || undefined);
    const { playing, hanging } = await heard;
    assert.deepEqual([playing, hanging], [LISTENERS, 0]);
    const next = await listenTo(await addressesOf(1), 3);
    assert.equal(next.playing, 1);
  });

  test('with the first process every other one ends, and the port is free', async () => {
    await signal('KILL');
    const gone =
      'for n in $(seq 100); do pgrep -f "[m]ain.ts relay" > /dev/null || exit 0; sleep 0.2; done; exit 1';
    await farm.house.run('bash', ['-c', gone]);
  });
});
