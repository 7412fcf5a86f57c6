import { createSocket } from 'node:dgram';
import { SSDP_GROUP } from './message.ts';

/** Answers come within a second, as asked for; the rest is for a busy machine. */
const WAIT_MS = 2500;
const SAY_AGAIN_MS = 800;

/**
 * Searches the network behind one of our addresses for a device, as a control point does. Whether an answer came that names it:
 * one of this machine is found that way too.
 */
export async function isDeviceFound(udn: string, address: string): Promise<boolean> {
  const question = [
    'M-SEARCH * HTTP/1.1',
    `HOST: ${SSDP_GROUP.address}:${SSDP_GROUP.port}`,
    'MAN: "ssdp:discover"',
    'MX: 1',
    `ST: ${udn}`,
    '',
    '',
  ].join('\r\n');
  const socket = createSocket('udp4');
  const { promise, resolve } = Promise.withResolvers<boolean>();
  socket.on('error', () => resolve(false));
  socket.on('message', (answer) => {
    if (answer.length < 2048 && answer.toString('latin1').includes(`\r\nUSN: ${udn}\r\n`)) resolve(true);
  });
  const ask = (): void => {
    socket.setMulticastInterface(address);
    socket.send(question, SSDP_GROUP.port, SSDP_GROUP.address, (error) => error && resolve(false));
  };
  socket.bind({ address, port: 0 }, ask);
  const again = setTimeout(ask, SAY_AGAIN_MS);
  const late = setTimeout(() => resolve(false), WAIT_MS);
  try {
    return await promise;
  } finally {
    clearTimeout(again);
    clearTimeout(late);
    socket.close();
  }
}
