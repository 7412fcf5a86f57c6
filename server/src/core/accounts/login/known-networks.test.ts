import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loginNetworkOf } from './known-networks.ts';

const NETWORKS: [one: string, other: string, areOne: boolean][] = [
  ['192.0.2.7', '192.0.2.200', true],
  ['192.0.2.7', '192.0.3.7', false],
  ['192.0.2.7', '::ffff:192.0.2.9', true],
  ['2001:db8:1:2::1', '2001:db8:1:2:ffff::9', true],
  ['2001:db8:1:2::1', '2001:db8:1:3::1', false],
];
for (const [one, other, areOne] of NETWORKS)
  test(`${one} and ${other} are ${areOne ? 'one network' : 'two networks'}`, () =>
    assert.equal(loginNetworkOf(one) === loginNetworkOf(other), areOne));
