import type { Check } from '../check.ts';
import { expect, Mismatch } from '../expect.ts';
import { documentOf, type Answer } from '../answer.ts';
import type { Kit } from '../kit.ts';
import { attribute } from '../opml.ts';

/** The entries of an index; a search line may stand among them on Index.aspx. */
const keysOf = ({ document }: Answer): string =>
  document.outlines
    .filter((outline) => attribute(outline, 'type') !== 'search')
    .map((outline) => attribute(outline, 'key'))
    .join();

/** Each of these spellings gives the same menu as the first. */
async function expectSame(kit: Kit, spellings: readonly string[]): Promise<void> {
  const [first = '', ...others] = spellings;
  const expected = keysOf(await kit.success(first));
  for (const spelling of others) {
    const answer = await kit.success(spelling);
    expect(answer.reply, keysOf(answer) === expected, `the menu of ${first}`, keysOf(answer));
  }
}

export const transportRules: readonly Check[] = [
  {
    id: 'rule-1',
    statement: 'plain HTTP answers directly, without a redirect',
    run: async (kit) => {
      const reply = await kit.call('/Browse.ashx');
      expect(reply, reply.status === 200, 'HTTP status 200', `HTTP status ${reply.status}`);
      const given = new URL(reply.request.url).protocol;
      expect(reply, given === 'http:', 'a base URL of plain http', given);
    },
  },
  {
    id: 'rule-1-https',
    statement: 'HTTPS answers as well',
    run: async (kit) => documentOf(await kit.getSecurely('/Browse.ashx')),
  },
  {
    id: 'rule-2',
    statement: 'paths of any case; /, /Browse.ashx and /Index.aspx give the index',
    run: (kit) =>
      expectSame(kit, ['/Browse.ashx', '/browse.ashx', '/BROWSE.ASHX', '/', '/Index.aspx', '/index.aspx']),
  },
  {
    id: 'rule-3',
    statement: 'parameter names of any case; ?&c=, trailing &, ??, valueless, empty and repeated ones',
    run: async (kit) => {
      const plain = guideIds(await kit.success('/Browse.ashx?c=music'));
      for (const query of [
        'C=music',
        '&c=music',
        'c=music&',
        '?c=music',
        'c=music&name',
        'c=music&serial=',
        'c=music&c=music',
        'c=music&&id',
      ]) {
        const answer = await kit.success(`/Browse.ashx?${query}`);
        expect(answer.reply, guideIds(answer) === plain, 'the menu of c=music', guideIds(answer));
      }
    },
  },
  {
    id: 'rule-4',
    statement: 'Accept is not negotiated on: XML unless render=json',
    run: async (kit) => {
      for (const Accept of ['application/json', 'text/html', 'image/png'])
        await kit.success('/Browse.ashx', { Accept });
      await kit.json('/Browse.ashx');
    },
  },
  {
    id: 'rule-5',
    statement: 'HTTP status 200 even for faults; the fault is in the head',
    run: async (kit) => {
      await kit.fault('/Browse.ashx?c=no-such');
      await kit.fault('/NoSuchPage.ashx');
    },
  },
  {
    id: 'rule-25',
    statement:
      'Content-Length always, HTTP/1.0 and Connection: close honoured, no chunks, gzip only if asked',
    run: async (kit) => {
      await expectWhole(kit, '1.0', '');
      await expectWhole(kit, '1.1', 'Connection: close\r\n');
      const { reply } = await kit.success('/Browse.ashx?c=lang');
      const encoding = reply.headers['content-encoding'] ?? 'identity';
      expect(reply, encoding === 'identity', 'no Content-Encoding unless asked for', encoding);
    },
  },
];

const guideIds = ({ document }: Answer): string =>
  document.outlines.map((outline) => attribute(outline, 'guide_id')).join();

async function expectWhole(kit: Kit, version: string, more: string): Promise<void> {
  const { host, pathname } = new URL(kit.options.baseUrl);
  const path = kit.withPartner(`${pathname.replace(/\/$/, '')}/Browse.ashx`);
  const { statusLine, headers, body, isClosed } = await kit.raw(
    `GET ${path} HTTP/${version}\r\nHost: ${host}\r\n${more}\r\n`,
  );
  const came = `${statusLine}; Content-Length: ${headers.get('content-length')}, ${body.length} bytes; Transfer-Encoding: ${headers.get('transfer-encoding')}; ${isClosed ? 'closed' : 'left open'}`;
  const isWhole = headers.get('content-length') === String(body.length) && !headers.has('transfer-encoding');
  if (isWhole && isClosed && / 200 /.test(statusLine)) return;
  const expected = `a whole answer to HTTP/${version} with its Content-Length, then the end of the connection`;
  throw new Mismatch(expected, came, `curl -sS -i --http${version} '${kit.options.baseUrl}${path}'`);
}
