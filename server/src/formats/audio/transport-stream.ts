const PACKET = 188;
const SYNC = 0x47;
const MAX_STREAMS = 32;
const PAT = 0;
const SOUND = new Set([0x03, 0x04, 0x0f]);
const TIMED_METADATA = 0x15;

interface Demuxed {
  /** The audio frames, one after the other. */
  audio: Buffer;
  /** Each complete packet of timed metadata. */
  metadata: Buffer[];
}

export const isTransportStream = (bytes: Buffer): boolean =>
  bytes.length > 2 * PACKET && [0, PACKET, 2 * PACKET].every((at) => bytes[at] === SYNC);

/** Demultiplexes a segment of MPEG-TS, which begins with the tables that describe it. */
export function demux(bytes: Buffer): Demuxed {
  const program = new Program();
  for (let at = 0; at + PACKET <= bytes.length && bytes[at] === SYNC; at += PACKET)
    program.read(bytes.subarray(at, at + PACKET));
  return program.finish();
}

class Program {
  #tables = new Set<number>([PAT]);
  readonly #kinds = new Map<number, 'sound' | 'metadata'>();
  readonly #sound: Buffer[] = [];
  readonly #metadata: Buffer[][] = [];
  #soundPid: number | undefined;

  read(packet: Buffer): void {
    const pid = packet.readUInt16BE(1) & 0x1fff;
    const isStart = ((packet[1] ?? 0) & 0x40) !== 0;
    const payload = payloadOf(packet);
    if (this.#tables.has(pid)) this.#readTable(pid, payload, isStart);
    else if (this.#kinds.has(pid)) this.#readPes(pid, payload, isStart);
  }

  finish(): Demuxed {
    return {
      audio: Buffer.concat(this.#sound),
      metadata: this.#metadata.map((pieces) => Buffer.concat(pieces)),
    };
  }

  #readTable(pid: number, payload: Buffer, isStart: boolean): void {
    const section = isStart ? payload.subarray(1 + (payload[0] ?? 0)) : payload.subarray(0, 0);
    if (section.length < 12) return;
    const end = Math.min(section.length, 3 + (section.readUInt16BE(1) & 0xfff)) - 4;
    if (pid === PAT) this.#readPrograms(section, end);
    else this.#readStreams(section, end);
  }

  #readPrograms(section: Buffer, end: number): void {
    for (let at = 8; at + 4 <= end && this.#tables.size < MAX_STREAMS; at += 4)
      if (section.readUInt16BE(at) !== 0) this.#tables.add(section.readUInt16BE(at + 2) & 0x1fff);
  }

  #readStreams(section: Buffer, end: number): void {
    let at = 12 + (section.readUInt16BE(10) & 0xfff);
    while (at + 5 <= end && this.#kinds.size < MAX_STREAMS) {
      const [type = 0, pid] = [section[at], section.readUInt16BE(at + 1) & 0x1fff];
      if (SOUND.has(type) && (this.#soundPid ??= pid) === pid) this.#kinds.set(pid, 'sound');
      else if (type === TIMED_METADATA) this.#kinds.set(pid, 'metadata');
      at += 5 + (section.readUInt16BE(at + 3) & 0xfff);
    }
  }

  #readPes(pid: number, payload: Buffer, isStart: boolean): void {
    const piece = isStart ? payload.subarray(9 + (payload[8] ?? 0)) : payload;
    if (this.#kinds.get(pid) === 'sound') this.#sound.push(piece);
    else if (isStart) this.#metadata.push([piece]);
    else this.#metadata.at(-1)?.push(piece);
  }
}

function payloadOf(packet: Buffer): Buffer {
  const control = ((packet[3] ?? 0) >> 4) & 3;
  if ((control & 1) === 0) return packet.subarray(0, 0);
  return packet.subarray(control === 3 ? 5 + (packet[4] ?? 0) : 4);
}
