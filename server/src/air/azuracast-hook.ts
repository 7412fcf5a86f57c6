import type { PlainAnswer, PlainCall, PlainEndpoint } from '../http/plain-endpoint.ts';
import { Fault } from '../lib/fault.ts';
import { announce } from './announce.ts';
import { parseAzuraCast } from './azuracast.ts';
import { getStation } from './find-station.ts';
import type { PushNeeds } from './push.ts';

/** What plays and what played, with every mount: some ten kilobytes. */
const MOST_BYTES = 256 * 1024;

/** What AzuraCast sends to an address of the broadcaster's choice (its "Generic Web Hook"), with the key as password. */
export const azuracastHook = (needs: PushNeeds): PlainEndpoint => ({
  path: '/air/azuracast/:id',
  answer: (call) => receive(needs, call),
});

async function receive(needs: PushNeeds, call: PlainCall): Promise<PlainAnswer> {
  if (call.method !== 'POST') throw new Fault(400, undefined, 'Send what plays as AzuraCast does, by POST');
  const key = passwordOf(call.headers.authorization);
  const { id: stationId } = await getStation(needs, call.path['id'] ?? '');
  await needs.doors.open({ stationId, key, address: call.address });
  const told = parseAzuraCast(await readText(call));
  if (!told) throw new Fault(400, undefined, 'This is not what AzuraCast tells of what plays');
  await announce(needs, stationId, told.song, call.now.epochMilliseconds);
  return { status: 200, text: '' };
}

/** Of `Basic …`; the name before it may be anything. */
function passwordOf(authorization = ''): string {
  const [, coded = ''] = /^Basic ([\w+/=-]{1,400})$/i.exec(authorization) ?? [];
  const pair = Buffer.from(coded, 'base64').toString('utf8');
  const key = pair.slice(pair.indexOf(':') + 1);
  if (key !== '') return key;
  throw new Fault(401, undefined, "Give the station's key as the password of Basic Auth; any name will do");
}

async function readText({ body }: PlainCall): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body()) {
    length += chunk.length;
    if (length > MOST_BYTES) throw new Fault(413, undefined, `More than ${MOST_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
