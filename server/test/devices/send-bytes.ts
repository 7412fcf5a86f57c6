import { sendRaw } from '../apps/http-server.ts';
import type { DeviceAnswer, SendRequest } from './vtuner-radio.ts';

/** Over a connection for each request, as bytes: nothing between the device and the server corrects anything. */
export const sendBytes =
  (port: number, version = '1.1'): SendRequest =>
  async (target, headers) => {
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    const head = [`GET ${target} HTTP/${version}`, ...lines, 'Connection: close', '', ''].join('\r\n');
    return parseAnswer(Buffer.from(await sendRaw(port, Buffer.from(head, 'latin1'), 20_000), 'latin1'));
  };

function parseAnswer(bytes: Buffer): DeviceAnswer {
  const end = bytes.indexOf('\r\n\r\n');
  const [first = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n');
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  return { status: Number(first.split(' ')[1]), headers: new Map(headers), body: bytes.subarray(end + 4) };
}
