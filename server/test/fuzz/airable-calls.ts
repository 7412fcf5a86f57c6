import type { FuzzCall } from './calls.ts';
import type { Dice } from './dice.ts';
import { inForm, maybeMutated, sendable, TERMS, words } from './list-calls.ts';

const IDS = words(
  '9000000000000001 9000000000000002 9000000000024940 9999999999999999 4280158012345678 s1 S2 constructor .. %2e%2e',
);
const MENUS = words('root languages elsewhere g1 g1000 r0 r1 n1 l1 a1 s1 x __proto__ 0');
const OFFSETS = words('0 1 100 999999 9999999 -1 1e3 x');
const SEARCHES = words('q query search');

/** A request of a radio made for airable, with something done to it every third time. */
export function airableCall(dice: Dice): FuzzCall {
  const target = dice.pick([
    () => '/',
    () => '/frontiersmart/radios',
    () => '/frontiersmart/feeds',
    () => `/frontiersmart/radios/${dice.pick(MENUS)}`,
    () => `/frontiersmart/radios/${dice.pick(MENUS)}/${dice.pick(OFFSETS)}`,
    () => `/frontiersmart/radios/search?${dice.pick(SEARCHES)}=${encodeURIComponent(dice.pick(TERMS))}`,
    () => `/frontiersmart/radio/${dice.pick(IDS)}`,
    () => `/frontiersmart/radio/${dice.pick(IDS)}/play/${dice.pick(OFFSETS)}`,
  ])();
  const headers: Record<string, string> = dice.chance(0.8)
    ? { host: 'airable.wifiradiofrontier.com', 'user-agent': 'ir-cui-FS2340-0000-0001' }
    : {};
  if (dice.chance(0.5))
    headers['accept'] = dice.pick(['audio/aac;mp3;dash', 'audio/mp3', '*/*', ';;', 'ogg']);
  if (dice.chance(0.2)) headers['accept-language'] = dice.pick(words('de ja zz * ;;'));
  const method = dice.chance(0.05) ? 'HEAD' : dice.chance(0.03) ? 'POST' : 'GET';
  return { method, target: inForm(dice, sendable(maybeMutated(dice, target))), form: undefined, headers };
}
