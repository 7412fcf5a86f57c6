/** `kodi-call.ts METHOD PARAMS`: one call of Kodi's JSON-RPC, which it takes on a port of its own machine. */
import { connect } from 'node:net';

const [method, params = '{}'] = process.argv.slice(2);
const socket = connect(9090, '127.0.0.1');
socket.setEncoding('utf8');
socket.setTimeout(20_000, () => socket.destroy(new Error(`${method} was not answered`)));
socket.write(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: JSON.parse(params) }));
let said = '';
for await (const text of socket) {
  said += text;
  // News of what Kodi does comes on the same line, one object after the other.
  const answer = said.split(/(?<=\})(?=\{"(?:id|jsonrpc)")/).find((part) => part.includes('"id":1,'));
  const parsed = answer === undefined ? undefined : parsedOr(answer);
  if (parsed === undefined) continue;
  if (!('result' in parsed)) throw new Error(`${method}: ${answer}`);
  console.log(JSON.stringify(parsed.result));
  break;
}
socket.destroy();

function parsedOr(text: string): { result?: unknown } | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
