import { readMpegFrame } from '../../src/formats/audio/frames.ts';

/** How much MP3 there is, and how often frames do not follow on each other. */
export function countFrames(body: Buffer): { seconds: number; gaps: number } {
  let [at, seconds, gaps] = [0, 0, 0];
  while (at !== -1 && at < body.length - 1000) {
    const frame = readMpegFrame(body, at);
    const isFrame = frame && readMpegFrame(body, at + frame.bytes);
    if (isFrame) seconds += frame.samples / frame.sampleRate;
    else gaps += 1;
    at = isFrame ? at + frame.bytes : nextFrame(body, at + 1);
  }
  return { seconds, gaps };
}

function nextFrame(body: Buffer, from: number): number {
  let at = body.indexOf(0xff, from);
  for (; at !== -1; at = body.indexOf(0xff, at + 1)) {
    const frame = readMpegFrame(body, at);
    if (frame && readMpegFrame(body, at + frame.bytes)) break;
  }
  return at;
}
