/** Publishes the songs of the fictional stations, as their broadcasters would, as long as the demo's server answers. */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Broadcaster } from './songs.ts';

const [, , file = '', port = ''] = process.argv;
const broadcasters: Broadcaster[] = JSON.parse(readFileSync(file, 'utf8'));

const SONG_MS = 180_000;
const AGAIN_MS = 5000;
/** A server that restarts is back by then; one that was stopped is not. */
const GIVE_UP_AFTER = 12;

/** Returns whether it was accepted, by the protocol's own status. */
async function tell({ id, key, songs }: Broadcaster, turn: number): Promise<boolean> {
  const { artist, title } = songs[turn % songs.length]!;
  const body = new URLSearchParams({ partnerKey: key, id, artist, title });
  const call = { method: 'POST', body, signal: AbortSignal.timeout(AGAIN_MS) };
  return fetch(`http://127.0.0.1:${port}/Playing.ashx`, call).then(
    async (answer) => (await answer.text()).includes('<status>200</status>'),
    () => false,
  );
}

let failures = 0;
for (let turn = 0; failures < GIVE_UP_AFTER;) {
  const told = await Promise.all(broadcasters.map((each) => tell(each, turn)));
  const isTold = told.every(Boolean);
  failures = isTold ? 0 : failures + 1;
  if (isTold) turn += 1;
  await sleep(isTold ? SONG_MS : AGAIN_MS);
}
