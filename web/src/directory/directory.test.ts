import assert from 'node:assert/strict';
import { test } from 'node:test';
import { browseLink, linkTo } from './link-to.ts';
import { Recent } from './recent.ts';
import { SharedCalls } from './shared-calls.ts';

test('items and menus have pages of the site, and say nothing of who asked', () => {
  const url = 'http://radio.test/Browse.ashx?c=music&id=g19&partnerId=x&serial=s&locale=de&render=json';
  assert.equal(linkTo({ guideId: 's12', url }), '/station/s12');
  assert.equal(linkTo({ guideId: 'p3' }), '/show/p3');
  assert.equal(linkTo({ guideId: 'g19', url }), '/browse?c=music&id=g19');
  assert.equal(linkTo({ url: 'http://radio.test/browse.ashx' }), '/browse');
  assert.equal(linkTo({ url: 'http://radio.test/Tune.ashx?id=s1' }), undefined);
  assert.equal(linkTo({ url: 'javascript:alert(1)' }), undefined);
  assert.equal(linkTo({ guideId: 's1"><script>' }), undefined);
  assert.equal(linkTo({}), undefined);
  assert.equal(browseLink(new URLSearchParams('Serial=1&c=lang')), '/browse?c=lang');
});

test('answers are kept for a minute, and never too many of them', () => {
  let now = 0;
  const recent = new Recent(() => now);
  recent.add('a', undefined);
  assert.deepEqual(recent.find('a'), { value: undefined, at: 0 });
  now = 60_000;
  assert.equal(recent.find('a'), undefined);
  for (let index = 0; index < 200; index++) recent.add(`k${index}`, index);
  assert.equal(recent.find('k119'), undefined);
  assert.equal(recent.find('k120')?.value, 120);
  recent.forget('k15');
  assert.equal(recent.find('k150'), undefined);
  assert.equal(recent.find('k160')?.value, 160);
});

test('who asks the same at the same time shares a call, which ends with the last of them', async () => {
  const calls = new SharedCalls();
  const begun: AbortSignal[] = [];
  const answer = Promise.withResolvers<string>();
  const begin = (signal: AbortSignal): Promise<string> => {
    begun.push(signal);
    return answer.promise;
  };
  const [one, other] = [new AbortController(), new AbortController()];
  const both = [one, other].map((who) => calls.ask('a', who.signal, begin));
  one.abort();
  assert.equal(begun.length, 1);
  assert.equal(begun[0]?.aborted, false, 'the other still waits');
  other.abort();
  assert.equal(begun[0]?.aborted, true);
  const late = calls.ask('a', new AbortController().signal, begin);
  assert.equal(begun.length, 2, 'who comes after the end begins anew');
  answer.resolve('said');
  assert.deepEqual(await Promise.all([...both, late]), ['said', 'said', 'said']);
  await calls.ask('a', new AbortController().signal, begin);
  assert.equal(begun.length, 3, 'what was answered is asked again');
});
