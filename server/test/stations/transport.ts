const PACKET = 188;
const TABLES = { pat: 0, pmt: 0x100 };

/** A stream of MPEG-TS as segments of HLS are: two tables, then each piece as one packetised element after the other. */
export function transportStream(
  streams: readonly { type: number; pid: number; pieces: readonly Buffer[] }[],
): Buffer {
  const pat = section(0, [0x00, 0x01, 0xe0 | (TABLES.pmt >> 8), TABLES.pmt & 255]);
  const entries = streams.flatMap(({ type, pid }) => [type, 0xe0 | (pid >> 8), pid & 255, 0xf0, 0]);
  const pmt = section(2, [0xe1, 0x01, 0xf0, 0, ...entries]);
  const packets = [packet(TABLES.pat, pat, true), packet(TABLES.pmt, pmt, true)];
  for (const { pid, pieces } of streams) for (const piece of pieces) packets.push(...elements(pid, piece));
  return Buffer.concat(packets);
}

function section(table: number, body: readonly number[]): Buffer {
  const length = body.length + 9;
  return Buffer.from([0, table, 0xb0 | (length >> 8), length & 255, 0, 1, 0xc1, 0, 0, ...body, 0, 0, 0, 0]);
}

function elements(pid: number, piece: Buffer): Buffer[] {
  const whole = Buffer.concat([Buffer.from([0, 0, 1, 0xbd, 0, 0, 0x80, 0x80, 5, 1, 2, 3, 4, 5]), piece]);
  const packets: Buffer[] = [];
  for (let at = 0; at < whole.length; at += PACKET - 6)
    packets.push(packet(pid, whole.subarray(at, at + PACKET - 6), at === 0));
  return packets;
}

/** What does not fill a packet follows a field of padding. */
function packet(pid: number, payload: Buffer, isStart: boolean): Buffer {
  const padding = PACKET - 5 - payload.length;
  const head = Buffer.from([0x47, (isStart ? 0x40 : 0) | (pid >> 8), pid & 255, 0x30, padding]);
  return Buffer.concat([head, Buffer.alloc(padding, 0xff), payload]);
}

/** A box of MP4. */
export function box(type: string, content: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + content.length);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, content]);
}

/** An event message with a tag in it, as fMP4 carries songs; the older version has its numbers behind its texts. */
export function eventMessage(tag: Buffer, version: 0 | 1 = 1): Buffer {
  const texts = Buffer.from('https://aomedia.org/emsg/ID3\0\0');
  const fields = version === 0 ? [texts, Buffer.alloc(16)] : [Buffer.alloc(20), texts];
  return box('emsg', Buffer.concat([Buffer.from([version, 0, 0, 0]), ...fields, tag]));
}
