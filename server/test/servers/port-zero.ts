import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** A datagram as no socket sends it: the kernel takes the head from us, so that it comes from port 0. Needs root. */
const SEND = `
import socket, struct, sys
port, payload = int(sys.argv[1]), bytes.fromhex(sys.argv[2])
head = struct.pack('!HHHH', 0, port, 8 + len(payload), 0)
socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_UDP).sendto(head + payload, ('127.0.0.1', 0))`;

export async function sendFromPortZero(port: number, payload: Buffer): Promise<void> {
  await promisify(execFile)('python3', ['-c', SEND, `${port}`, payload.toString('hex')]);
}
