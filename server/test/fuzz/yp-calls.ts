import type { FuzzCall } from './calls.ts';
import type { Dice } from './dice.ts';
import { maybeMutated, inForm, TERMS, sendable, words } from './list-calls.ts';

const ACTIONS = words('add add add touch touch remove steal');
const NAMES = words(
  'action sn genre cpswd desc url listenurl type stype b sid st listeners max_listeners x __proto__',
);
const ADDRESSES = [
  'http://radio.example.net:8000/live.mp3',
  'https://radio.example.net/live.ogg',
  'http://stream.example.net/harbourfolk-128.mp3',
  'http://192.168.1.1/live',
  'http://[::1]:8000/',
  'http://169.254.169.254/latest/meta-data',
  'http://user:secret@radio.example.net/',
  'http://radio.example.net:99999/',
  'gopher://x',
  '//x',
  `http://radio.example.net/${'x'.repeat(3000)}`,
];

/** A call of Icecast or of somebody who reads the directory, with something done to it every third time. */
export function ypCall(dice: Dice, sids: readonly string[]): FuzzCall {
  if (dice.chance(0.2)) {
    const query = dice.chance(0.5)
      ? `?${dice.pick(words('offset limit x'))}=${encodeURIComponent(dice.pick(TERMS))}`
      : '';
    return {
      method: 'GET',
      target: inForm(dice, sendable(maybeMutated(dice, `/yp.xml${query}`))),
      form: undefined,
      headers: {},
    };
  }
  const target = dice.chance(0.05) ? maybeMutated(dice, '/cgi-bin/yp-cgi') : '/cgi-bin/yp-cgi';
  const type = dice.chance(0.9)
    ? 'application/x-www-form-urlencoded'
    : dice.pick(words('text/plain application/json x multipart/form-data'));
  const headers = { 'content-type': type, 'user-agent': 'Icecast 2.4.4' };
  if (dice.chance(0.02)) return { method: 'GET', target: sendable(target), form: undefined, headers };
  return {
    method: 'POST',
    target: inForm(dice, sendable(target)),
    form: maybeMutated(dice, formOf(dice, sids)),
    headers,
  };
}

function formOf(dice: Dice, sids: readonly string[]): string {
  const values: Record<string, string> = {
    action: dice.pick(ACTIONS),
    sn: dice.chance(0.7) ? 'Quay Radio' : dice.pick(TERMS),
    genre: dice.pick(TERMS),
    url: dice.chance(0.5) ? 'http://quay.example.net/' : dice.pick(TERMS),
    listenurl: dice.pick(ADDRESSES),
    b: dice.pick(['128', 'Quality 3', '-1', '99999999999', '']),
    sid: dice.pick(sids),
    st: dice.pick([...TERMS, 'The Duo - First Light']),
    listeners: dice.pick(['4', '-1', '9999999999', 'x']),
  };
  if (dice.chance(0.3)) values[dice.pick(NAMES)] = dice.pick(TERMS);
  return `${new URLSearchParams(values).toString()}${dice.chance(0.5) ? '\r\n' : '&'}`;
}
