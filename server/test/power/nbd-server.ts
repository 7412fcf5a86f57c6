import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import type { ForgetfulDisk } from './forgetful-disk.ts';

/*
 * The part of the protocol for network block devices that QEMU speaks to a server with one disk:
 * https://github.com/NetworkBlockDevice/nbd/blob/master/doc/proto.md
 */

const GREETING = Buffer.from('NBDMAGICIHAVEOPT\0\x03', 'latin1');
const OPTION_REPLY = 0x3_e889_0455_65a9n;
const OPTION = { abort: 2, go: 7 };
const REPLY = { acknowledged: 1, info: 3, unsupported: 2 ** 31 + 1 };
/** It has flags at all, and can flush; a write that is to be on the disk at once is then sent as a write and a flush. */
const DISK_FLAGS = 0b101;
const REQUEST_LENGTH = 28;
const REPLY_MAGIC = 0x6744_6698;
const COMMAND = { read: 0, write: 1, disconnect: 2, flush: 3 };
const INVALID = 22;
const MAX_LENGTH = 32 * 2 ** 20;
const NOTHING = Buffer.alloc(0);

/** Serves a disk on a Unix socket, to one machine at a time. */
export class NbdServer implements AsyncDisposable {
  readonly #server: Server;
  #socket: Socket | undefined;

  private constructor(disk: ForgetfulDisk) {
    this.#server = createServer((socket) => {
      this.#socket = socket;
      // Whoever was cut off hears nothing more, and has nothing more to say.
      socket.on('error', () => socket.destroy());
      void talk(socket, disk).finally(() => socket.destroy());
    });
  }

  static async listen(disk: ForgetfulDisk, path: string): Promise<NbdServer> {
    const made = new NbdServer(disk);
    made.#server.listen(path);
    await once(made.#server, 'listening');
    return made;
  }

  /** From now on nothing that was sent is heard. */
  cutOff(): void {
    this.#socket?.destroy();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.cutOff();
    const closed = once(this.#server, 'close');
    this.#server.close();
    await closed;
  }
}

async function talk(socket: Socket, disk: ForgetfulDisk): Promise<void> {
  const take = takeFrom(socket);
  socket.write(GREETING);
  if (!(await take(4)) || !(await agree(socket, disk, take))) return;
  for (;;) {
    const request = await take(REQUEST_LENGTH);
    if (!request) return;
    const command = request.readUInt16BE(6);
    const length = request.readUInt32BE(24);
    if (command === COMMAND.disconnect || length > MAX_LENGTH) return;
    const data = command === COMMAND.write ? await take(length) : NOTHING;
    if (!data) return;
    const answer = obey(disk, command, Number(request.readBigUInt64BE(16)), length, data);
    const head = Buffer.alloc(16);
    head.writeUInt32BE(REPLY_MAGIC, 0);
    head.writeUInt32BE(answer ? 0 : INVALID, 4);
    request.copy(head, 8, 8, 16);
    socket.write(Buffer.concat([head, answer ?? NOTHING]));
  }
}

/** What a request is answered with; nothing if it is one that was not offered. */
function obey(
  disk: ForgetfulDisk,
  command: number,
  offset: number,
  length: number,
  data: Buffer,
): Buffer | undefined {
  if (command === COMMAND.read) return disk.read(offset, length);
  if (command === COMMAND.write) disk.write(offset, data);
  else if (command === COMMAND.flush) disk.flush();
  else return undefined;
  return NOTHING;
}

type Take = (length: number) => Promise<Buffer | undefined>;

/** True when the client knows the size and goes on to requests. */
async function agree(socket: Socket, disk: ForgetfulDisk, take: Take): Promise<boolean> {
  for (;;) {
    const head = await take(16);
    const length = head?.readUInt32BE(12) ?? 0;
    if (!head || length > 4096) return false;
    if (length > 0 && !(await take(length))) return false;
    const option = head.readUInt32BE(8);
    if (option === OPTION.abort) return false;
    if (option !== OPTION.go) {
      socket.write(optionReply(option, REPLY.unsupported));
      continue;
    }
    const size = Buffer.alloc(12);
    size.writeBigUInt64BE(BigInt(disk.size), 2);
    size.writeUInt16BE(DISK_FLAGS, 10);
    socket.write(optionReply(option, REPLY.info, size));
    socket.write(optionReply(option, REPLY.acknowledged));
    return true;
  }
}

function optionReply(option: number, reply: number, data = NOTHING): Buffer {
  const head = Buffer.alloc(20);
  head.writeBigUInt64BE(OPTION_REPLY, 0);
  head.writeUInt32BE(option, 8);
  head.writeUInt32BE(reply, 12);
  head.writeUInt32BE(data.length, 16);
  return Buffer.concat([head, data]);
}

/** So many bytes when they are there, nothing when the other side has gone; asked for one after another. */
function takeFrom(socket: Socket): Take {
  let held = NOTHING;
  let chunks: Buffer[] = [];
  let bytes = 0;
  let wake: (() => void) | undefined;
  socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    bytes += chunk.length;
    wake?.();
  });
  socket.once('close', () => wake?.());
  return async (length) => {
    while (!socket.destroyed && held.length + bytes < length)
      await new Promise<void>((resolve) => (wake = resolve));
    if (socket.destroyed) return undefined;
    if (bytes > 0) held = Buffer.concat([held, ...chunks]);
    [chunks, bytes] = [[], 0];
    const taken = held.subarray(0, length);
    held = held.subarray(length);
    return taken;
  };
}
