import { connect } from 'node:net';
import { connect as connectSecurely } from 'node:tls';

export interface RawReply {
  statusLine: string;
  headers: ReadonlyMap<string, string>;
  body: Buffer;
  /** The server ended the connection, as it was asked to. */
  isClosed: boolean;
}

const MAX_BYTES = 1024 * 1024;

/** Sends bytes as an old radio does and takes what comes until the server closes or the deadline is over. */
export function askRaw(origin: URL, bytes: string, timeoutMs: number): Promise<RawReply> {
  const isSecure = origin.protocol === 'https:';
  const host = origin.hostname.replaceAll(/[[\]]/g, '');
  const port = Number(origin.port) || (isSecure ? 443 : 80);
  return new Promise((resolve, reject) => {
    const socket = isSecure
      ? connectSecurely({ host, port, rejectUnauthorized: false })
      : connect({ host, port });
    const parts: Buffer[] = [];
    let size = 0;
    const finish = (isClosed: boolean): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(parseReply(Buffer.concat(parts), isClosed));
    };
    const timer = setTimeout(() => finish(false), timeoutMs);
    socket.on('data', (part: Buffer) => {
      parts.push(part);
      if ((size += part.length) > MAX_BYTES) finish(false);
    });
    socket.on('close', () => finish(true));
    socket.on('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
    socket.write(bytes);
  });
}

function parseReply(bytes: Buffer, isClosed: boolean): RawReply {
  const found = bytes.indexOf('\r\n\r\n');
  const end = found === -1 ? bytes.length : found;
  const [statusLine = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n');
  const headers = new Map(
    lines.map((line) => [line.split(':', 1)[0]?.toLowerCase() ?? '', line.replace(/^[^:]*:\s*/, '')]),
  );
  return { statusLine, headers, body: bytes.subarray(end + 4), isClosed };
}
