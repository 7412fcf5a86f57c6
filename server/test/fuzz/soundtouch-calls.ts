import type { FuzzCall } from './calls.ts';
import type { Dice } from './dice.ts';
import { inForm, maybeMutated, sendable, TERMS, words } from './list-calls.ts';

const IDS = words(
  's1 s2 s24940 s999999 p101 p122 t5 u7 S1 constructor __proto__ .. %2e%2e s1/contents p101/contents',
);
const FOLDERS = words('root languages elsewhere g1 r0 r1 n1 l1 a1 s1 x').flatMap((id) =>
  ['0', '100', '999999999999999', '-1'].map((offset) => Buffer.from(`${id} ${offset}`).toString('base64url')),
);

/** A request of a speaker or of a replacement of its cloud, with something done to it every third time. */
export function soundTouchCall(dice: Dice): FuzzCall {
  const text = (): string => encodeURIComponent(dice.pick(TERMS));
  const target = dice.pick([
    () => `/bmx/station/${dice.pick(IDS)}`,
    () => `/bmx/tunein/v1/playback/station/${dice.pick(IDS)}`,
    () => '/bmx/registry/v1/services',
    () => '/bmx/tunein/v1/navigate',
    () => `/bmx/tunein/v1/navigate/${dice.pick(FOLDERS)}`,
    () => `/bmx/tunein/v1/search?q=${text()}`,
    () => `/profiles?fulltextsearch=true&version=1.3&query=${text()}`,
    () => `/profiles/${dice.pick(IDS)}`,
  ])();
  const headers: Record<string, string> = dice.chance(0.5) ? { 'user-agent': 'Bose_Lisa/27.0.6' } : {};
  if (dice.chance(0.2)) headers['accept-language'] = dice.pick(words('de ja zz * ;;'));
  const method = dice.chance(0.05) ? 'HEAD' : dice.chance(0.03) ? 'POST' : 'GET';
  return { method, target: inForm(dice, sendable(maybeMutated(dice, target))), form: undefined, headers };
}
