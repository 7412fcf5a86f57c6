/** `ssdp-ask.ts ADDRESS COUNT`: searches for everything that often from that address of this machine, and says how many answers came. */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { SSDP_GROUP } from '../../../src/net/ssdp/message.ts';

const [address = '', count = '1'] = process.argv.slice(2);
const QUESTION = 'M-SEARCH * HTTP/1.1\r\nMAN: "ssdp:discover"\r\nMX: 0\r\nST: ssdp:all\r\n\r\n';
const QUIET_MS = 1500;

const socket = createSocket('udp4');
let answers = 0;
socket.on('message', (answer) => void (answers += Number(answer.includes(':8706/description.xml'))));
socket.bind({ address, port: 0 });
await once(socket, 'listening');
socket.setMulticastInterface('192.168.77.1');
for (let left = Number(count); left > 0; left -= 1) {
  socket.send(QUESTION, SSDP_GROUP.port, SSDP_GROUP.address);
  await sleep(2);
}
for (let before = -1; before < answers; await sleep(QUIET_MS)) before = answers;
console.log(answers);
socket.close();
