/**
 * A relay and one who listens while others send bad signatures as fast as they can; prints what came of it. A program of
 * its own, since the test runner makes every connection twice as expensive.
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { collectGarbage } from '../processes/collect-garbage.ts';
import { until } from './radio.ts';
import { broadcast, OK, openTestRelay, relayKeys } from './test-relay.ts';

export interface Flooded {
  /** By status. */
  answers: Record<string, number>;
  aSecond: number;
  longestSilenceMs: number;
  /** What is kept more than before, in mebibytes. */
  grown: number;
  /** How often the station was called. */
  calls: number;
}

const seconds = Number(process.argv[2]);
await using relay = await openTestRelay();
const studio = await relay.studio((socket): void => {
  socket.write(OK);
  broadcast(socket, 1);
});
using radio = relay.radio(studio.id, { keeps: false });
await until('sound', () => radio.bytes > 0);

const signed = relayKeys.sign(
  { streamId: studio.id, variant: 'c', who: relayKeys.whoOf('radio'), format: 'mp3' },
  Date.now() + 3_600_000,
);

async function flood(forSeconds: number): Promise<Record<string, number>> {
  const script = join(import.meta.dirname, 'bad-signatures.lua');
  const args = ['-t1', '-c32', `-d${forSeconds}`, '-s', script, `http://127.0.0.1:${relay.port}`];
  const { stdout } = await promisify(execFile)('wrk', [...args, '--', signed]);
  return JSON.parse(/^answers (.+)$/m.exec(stdout)?.[1] ?? 'null');
}

function keptBytes(): number {
  collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

await flood(1);
const earlier = keptBytes();
const startMs = performance.now();
const answers = await flood(seconds);
const asked = Object.values(answers).reduce((sum, count) => sum + count, 0);
const flooded: Flooded = {
  answers,
  aSecond: asked / ((performance.now() - startMs) / 1000),
  longestSilenceMs: radio.longestSilenceMs,
  grown: (keptBytes() - earlier) / 2 ** 20,
  calls: studio.heads.length,
};
process.stdout.write(JSON.stringify(flooded));
process.exit(0);
