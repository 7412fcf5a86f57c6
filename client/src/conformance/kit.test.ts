import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startSmallServer, type Break } from '../../test/small-server.ts';
import { Kit } from './kit.ts';

async function withKit(change: Break, use: (kit: Kit) => Promise<void>): Promise<void> {
  const server = await startSmallServer(change);
  const kit = new Kit({ baseUrl: server.origin, timeoutMs: 5000, maxRequests: 10 });
  try {
    await use(kit);
  } finally {
    kit.close();
    await server.close();
  }
}

test('a request is made once, however often its answer is wanted', async () => {
  let asked = 0;
  const counting: Break = (sent) => {
    asked += 1;
    return sent;
  };
  await withKit(counting, async (kit) => {
    await Promise.all([kit.success('/Browse.ashx'), kit.success('/Browse.ashx')]);
    await kit.success('/Browse.ashx', { 'X-Other': '1' });
    assert.equal(asked, 2);
    assert.equal(kit.requests, 2);
  });
});

test('a server that asks to wait is asked again', async () => {
  let refusals = 1;
  const busy: Break = (sent) => {
    refusals -= 1;
    return refusals < 0 ? sent : { ...sent, status: 429, headers: { 'Retry-After': '1' } };
  };
  await withKit(busy, async (kit) => {
    await kit.success('/Browse.ashx');
    assert.equal(kit.requests, 2);
  });
});

const alwaysBusy: Break = (sent) => ({ ...sent, status: 503, headers: { 'Retry-After': '0.01' } });

test('a connection that the server ended is replaced by another', async () => {
  const once = new WeakSet();
  const ending: Break = (sent, _path, { socket }) => {
    if (once.has(socket)) socket.destroy();
    once.add(socket);
    return sent;
  };
  await withKit(ending, async (kit) => {
    await kit.success('/Browse.ashx');
    await kit.success('/Browse.ashx?c=music');
    assert.equal(kit.requests, 2);
  });
});

test('a server that always asks to wait is given up on', async () => {
  await withKit(alwaysBusy, async (kit) => {
    assert.equal((await kit.get('/Browse.ashx')).status, 503);
    assert.equal(kit.requests, 4);
  });
});

test('links to other hosts are asked of this server alone', async () => {
  await withKit(
    (sent) => sent,
    async (kit) => {
      const { reply } = await kit.follow('http://elsewhere.test/Browse.ashx?c=music');
      assert.match(reply.request.url, /^http:\/\/127\.0\.0\.1:\d+\/Browse\.ashx\?c=music$/);
    },
  );
});

/** A show stands before the only one that has topics. */
const withSilentShow: Break = (sent, url) => {
  const silent = '<outline type="link" text="Live" URL="http://radio.test/?" guide_id="p9"/>';
  if (/c=podcast/.test(url))
    return { ...sent, body: sent.body.replace(/(?=<outline type="link")/, `${silent}\n`) };
  if (!/c=pbrowse&id=p9/.test(url)) return sent;
  return { ...sent, body: sent.body.replace(/<outline type="audio".*"t1".*\n/, '') };
};

test('checks are made on a show that has topics, where there is one', async () => {
  await withKit(withSilentShow, async ({ subjects }) => {
    assert.equal(await subjects.showId(), 'p1');
    assert.equal((await subjects.topic()).attributes.get('guide_id'), 't1');
  });
});

const withoutTopics: Break = (sent, url, request) => {
  const { body } = withSilentShow(sent, url, request);
  return { ...sent, body: body.replaceAll(/<outline type="audio".*"t1".*\n/g, '') };
};

test('where no show has topics they are made on the first', async () => {
  await withKit(withoutTopics, async ({ subjects }) => {
    assert.equal(await subjects.showId(), 'p9');
    await assert.rejects(subjects.topic(), /no topic of the first shows was found/);
  });
});
