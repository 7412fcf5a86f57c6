/** A mail server in a house: it tells every letter that it gets, a line each. */
import { setTimeout as sleep } from 'node:timers/promises';
import { openMailServer } from '../../servers/mail-server.ts';

const { received } = await openMailServer(undefined, Number(process.argv[2]));
console.log('open');
for (let told = 0; ; await sleep(50))
  for (; told < received.length; told += 1) console.log(JSON.stringify(received[told]));
