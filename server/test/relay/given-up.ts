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

/** Not the later questions for a list, nor those for its segments. */
const isCall = (head: string): boolean => head.startsWith('GET /live ') && /^icy-metadata:/im.test(head);

const LIST = ['#EXTM3U', '#EXT-X-TARGETDURATION:2', '1.mp3', '2.mp3', '3.mp3', '#EXT-X-ENDLIST', ''].join(
  '\n',
);
const SEGMENT_FRAMES = 50;

/** HLS, of which the list and the segments are there still. */
function answerHls(head: string): Buffer {
  const [, number] = /^GET \/(\d)\.mp3 /.exec(head) ?? [];
  const type = number === undefined ? 'application/vnd.apple.mpegurl' : 'audio/mpeg';
  const body =
    number === undefined ? Buffer.from(LIST) : framesFrom(SEGMENT_FRAMES * Number(number), SEGMENT_FRAMES);
  const said = `HTTP/1.1 200 OK\r\nContent-Type: ${type}\r\nContent-Length: ${body.length}\r\n`;
  return Buffer.concat([Buffer.from(`${said}Connection: close\r\n\r\n`), body]);
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
    calls: studio.heads.filter(isCall).length,
    longestSilenceSeconds: radio.longestSilenceMs / 1000,
  };
}

const [gone, empty, ended] = await Promise.all([
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
  // Its encoder died.
  listenTo((socket, _call, head) => void socket.end(answerHls(head))),
]);
process.stdout.write(JSON.stringify({ gone, empty, ended }));
process.exit(0);
