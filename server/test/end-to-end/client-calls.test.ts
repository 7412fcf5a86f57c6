import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Service, startService } from './service.ts';

/** Calls as programs were seen to send them, where they are not what the protocol says. */
let service: Service;
before(async () => {
  service = await startService();
});
after(() => service[Symbol.asyncDispose]());

const get = async (path: string): Promise<string> => (await fetch(`${service.origin}${path}`)).text();

test('a show opens in Browse as in Tune, which programs mix up', async () => {
  const [browsed, tuned] = await Promise.all(
    ['Browse', 'Tune'].map((page) => get(`/${page}.ashx?c=pbrowse&id=p1`)),
  );
  assert.match(tuned ?? '', /<status>200<\/status>[^]*<outline /);
  assert.equal(browsed, tuned);
});
