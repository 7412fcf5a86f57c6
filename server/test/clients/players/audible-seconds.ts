import { readFileSync } from 'node:fs';

/** Quieter than the tone of the test streams, louder than what a codec makes of silence. */
const QUIET = 500;

/** How long there is sound in a recording of 16-bit samples, in seconds. */
export function audibleSeconds(file: string): number {
  const bytes = readFileSync(file);
  const channels = bytes.readUInt16LE(22);
  const samplesPerSecond = bytes.readUInt32LE(24);
  const bitsPerSample = bytes.readUInt16LE(34);
  if (bytes.toString('latin1', 0, 4) !== 'RIFF' || bitsPerSample !== 16)
    throw new Error(`${file} is no recording of 16-bit samples`);
  // A tenth of a second counts when anything in it is loud: a tone crosses zero all the time.
  const step = Math.floor(samplesPerSecond / 10) * channels * 2;
  let loudSteps = 0;
  for (let at = bytes.indexOf('data') + 8; at + step <= bytes.length; at += step)
    if (isLoud(bytes.subarray(at, at + step))) loudSteps += 1;
  return loudSteps / 10;
}

function isLoud(samples: Buffer): boolean {
  for (let at = 0; at + 1 < samples.length; at += 2)
    if (Math.abs(samples.readInt16LE(at)) > QUIET) return true;
  return false;
}
