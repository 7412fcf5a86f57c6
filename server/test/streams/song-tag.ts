const TICKS_A_SECOND = 90_000;
const UTF8 = 3;
/** How bare audio says when in the broadcast it is. */
const TIMESTAMP = 'com.apple.streaming.transportStreamTimestamp\0';

/** The ID3v2.4 tag before a segment of bare AAC: when it is, and what plays. */
export function songTag(seconds: number, song?: { artist: string; title: string }): Buffer {
  const ticks = Buffer.alloc(8);
  ticks.writeBigUInt64BE(BigInt(Math.round(seconds * TICKS_A_SECOND)) & 0x1_ffff_ffffn);
  const frames = [frame('PRIV', Buffer.concat([Buffer.from(TIMESTAMP, 'latin1'), ticks]))];
  if (song) frames.push(textFrame('TIT2', song.title), textFrame('TPE1', song.artist));
  const body = Buffer.concat(frames);
  return Buffer.concat([Buffer.from([0x49, 0x44, 0x33, 4, 0, 0]), size(body.length), body]);
}

const textFrame = (id: string, text: string): Buffer =>
  frame(id, Buffer.concat([Buffer.from([UTF8]), Buffer.from(text)]));

const frame = (id: string, body: Buffer): Buffer =>
  Buffer.concat([Buffer.from(id, 'latin1'), size(body.length), Buffer.alloc(2), body]);

/** Seven bits a byte, so that no size looks like the start of sound. */
const size = (bytes: number): Buffer => Buffer.from([21, 14, 7, 0].map((shift) => (bytes >> shift) & 0x7f));
