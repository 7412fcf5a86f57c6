import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isOriginalService, isPublicHost } from './refused-hosts.ts';

const hostOf = (address: string): string => new URL(address).hostname;

test('only hosts of the whole internet are public', () => {
  const open = [
    'http://a.example/',
    'http://8.8.8.8/',
    'http://[2001:4860:4860::8888]/',
    'http://münchen.example/',
  ];
  const closed = [
    'http://localhost/',
    'http://radio/',
    'http://nas.local/',
    'http://box.lan/',
    'http://127.0.0.1/',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://10.0.0.1/',
    'http://192.168.1.5/',
    'http://172.16.0.1/',
    'http://169.254.1.1/',
    'http://100.64.0.1/',
    'http://0.0.0.0/',
    'http://224.0.0.1/',
    'http://[::1]/',
    'http://[fe80::1]/',
    'http://[fd00::1]/',
    'http://[::ffff:10.0.0.1]/',
  ];
  for (const address of open) assert.ok(isPublicHost(hostOf(address)), address);
  for (const address of closed) assert.ok(!isPublicHost(hostOf(address)), address);
});

test('the original service is known by its domains, not by its name', () => {
  for (const host of ['tunein.com', 'opml.radiotime.com', 'cdn-x.tunein.com'])
    assert.ok(isOriginalService(host));
  for (const host of ['tunein.com.example', 'mytunein.com', 'stream.example'])
    assert.ok(!isOriginalService(host));
});
