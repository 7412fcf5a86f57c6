/** Stations that are away for good, in fast time: prints when each radio was let go, and what it heard until then. */
import { setTimeout as sleep } from 'node:timers/promises';
import { FRAME_MS, framesFrom, numbersIn } from './numbered-frames.ts';
import { OK, openTestRelay, type OnCall } from './test-relay.ts';

export interface GivenUp {
  /** After its last sound. */
  afterSeconds: number;
  silentSeconds: number;
  calls: number;
  longestSilenceSeconds: number;
}

await using relay = await openTestRelay({ tickMs: 400 });

async function listenTo(onCall: OnCall): Promise<GivenUp> {
  const studio = await relay.studio(onCall);
  using radio = relay.radio(studio.id);
  while (radio.bytes === 0) await sleep(10);
  const startMs = performance.now();
  await Promise.race([radio.ended, sleep(900_000)]);
  const silent = numbersIn(radio.body).filter((number) => number === 0).length;
  return {
    afterSeconds: (performance.now() - startMs) / 1000,
    silentSeconds: (silent * FRAME_MS) / 1000,
    calls: studio.heads.length,
    longestSilenceSeconds: radio.longestSilenceMs / 1000,
  };
}

const [gone, empty] = await Promise.all([
  listenTo((socket, call): void => {
    if (call > 1) return void socket.destroy();
    socket.write(OK);
    socket.end(framesFrom(1, 50));
  }),
  // It answers, and what it sends is no sound.
  listenTo((socket, call): void => {
    socket.write(OK);
    socket.write(call > 1 ? Buffer.alloc(1000, 7) : framesFrom(1, 50));
  }),
]);
process.stdout.write(JSON.stringify({ gone, empty }));
process.exit(0);
