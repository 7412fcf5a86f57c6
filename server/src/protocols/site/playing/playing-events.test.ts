import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { after, before, beforeEach, test } from 'node:test';
import { type AirApp, airApp } from '../../../../test/apps/broadcasters-app.ts';
import { startServer } from '../../../../test/apps/http-server.ts';
import { waitUntil } from '../../../../../scripts/services/service.ts';
import type { EventStream } from '../../../net/http/endpoints/event-stream.ts';
import { Watch } from './watch.ts';

const tell = (stationId: number, title: string): Promise<void> => {
  const at = app.clock.now().epochMilliseconds;
  const heard = { title, artist: 'Ann', source: 'icy', startedAt: at, heardAt: at } as const;
  return app.store.publish([{ stationId, heard, dueInMs: 1000 }]);
};

let app: AirApp;
before(async () => {
  app = await airApp();
});
after(() => app[Symbol.asyncDispose]());
/** No song is shown, and nobody asks any more. */
beforeEach(async () => {
  app.clock.advance({ hours: 1 });
  await app.store.claimDue(100, 1);
});

/** Texts of the songs that came, `null` where there is none. */
async function* songsOf(response: Response): AsyncGenerator<[id: string, text: string | null]> {
  let rest = '';
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    const events = (rest + decoder.decode(chunk, { stream: true })).split('\n\n');
    rest = events.pop() ?? '';
    for (const event of events) {
      const [, data] = /^event: playing\ndata: (.*)$/.exec(event) ?? [];
      if (data === undefined) continue;
      const { id, song } = JSON.parse(data);
      yield [id, song?.text ?? null];
    }
  }
}

test('a page is told what its stations play, and what they play next', async () => {
  const { station, other, air, store } = app;
  const [one, two] = [`s${station.id}`, `s${other.id}`];
  await using server = await startServer([], { eventEndpoints: air.eventEndpoints });
  await tell(station.id, 'First');
  const response = await fetch(`${server.origin}/listen/api/playing?ids=${one},${two}`);
  const songs = songsOf(response);
  const next = async (): Promise<unknown> => (await songs.next()).value;
  assert.deepEqual(await next(), [one, 'Ann - First']);
  assert.deepEqual(await next(), [two, null]);
  await tell(station.id, 'First');
  await tell(other.id, 'Elsewhere');
  assert.deepEqual(await next(), [two, 'Ann - Elsewhere'], 'what is heard again is not told again');
  await store.publish([{ stationId: station.id, heard: 'nothing', dueInMs: 1000 }]);
  assert.deepEqual(await next(), [one, null]);
  await songs.return(undefined);
});

test('while a page watches, its stations are asked about', async () => {
  const { station, air, store } = app;
  await using server = await startServer([], { eventEndpoints: air.eventEndpoints });
  assert.deepEqual(await store.claimDue(10, 1000), []);
  const response = await fetch(`${server.origin}/listen/api/playing?ids=s${station.id}`);
  await waitUntil('the demand', async () => (await store.claimDue(10, 1000)).length > 0);
  await response.body?.cancel();
});

test('what is no station, and too many of them, are refused', async () => {
  await using server = await startServer([], { eventEndpoints: app.air.eventEndpoints });
  const tooMany = Array.from({ length: 21 }, (_, n) => `s${n + 1}`).join();
  for (const query of ['', '?ids=p1', '?ids=s999999', `?ids=${tooMany}`]) {
    const response = await fetch(`${server.origin}/listen/api/playing${query}`);
    assert.deepEqual([response.status, /ids/.test(await response.text())], [400, true], query);
  }
});

test('a song that ends unannounced is taken away, and who left is forgotten', async () => {
  const { board, station, clock } = app;
  using watch = new Watch(board, 5);
  const sent: string[] = [];
  const leaving: (() => void)[] = [];
  const stream: EventStream = {
    send: (_event, data) => void sent.push(data),
    onEnd: (listener) => void leaving.push(listener),
  };
  await tell(station.id, 'Last');
  watch.add(stream, [station.id]);
  clock.advance({ minutes: 5 });
  await waitUntil('the end of the song', async () => sent.length === 2);
  assert.deepEqual(
    sent.map((data) => JSON.parse(data).song?.title ?? null),
    ['Last', null],
  );
  for (const leave of leaving) leave();
  assert.equal(watch.size, 0);
  await tell(station.id, 'Unheard');
  await sleep(20);
  assert.equal(sent.length, 2);
});
