import type { FuzzCall } from './calls.ts';
import type { Dice } from './dice.ts';
import { inForm, maybeMutated, sendable, TERMS, words } from './list-calls.ts';

const BRANDS = words('yamaha Yamaha denon pioneer radio567 amit grundig fs onkyo lw constructor x.y');
const FOLDERS = words('browsexml BrowseXML browsexm2 BrowseXPA BrowseFML func AuthLogin');
const FILES = words(
  'loginXML.asp loginXML.asp navXML.asp navXML.asp navXML.asp FavXML.asp AFavXML.asp AddFav.asp RemoveFavs.asp statxml.asp Search.asp Search.asp GetShowXML.asp bestXML.asp help.asp mac_check.asp dynamOD.asp dynampls.asp nothing.asp LW1.mp3 LW999999.mp3 1.mp3 loginXML.aspmac=0011223344556677',
);
const IDS = words(
  'LW1 LW2 lw3 LW999999 LW99999999999999999999 P101 P122 P101X1125 P101X1 U3079 s1 3251 1 0 -1 0b1e0f6e5c1b4f0e9d58000000000123 constructor __proto__',
);
const FOLDER_NAMES = words(
  'root g1 g2 g3 g2-5 r0 r1 r1-0 r5 n1 l1 l2-1 a1 languages elsewhere link search-0-jazz search-5-harbour search-x s1 LocationLevelOne-Europe g1-999999999',
);
const MACS = words('0011223344556677 00112233445566778899aabbccddeeff short x%00y');

/** A request as a radio of the vTuner kind sends it, with something done to it every third time. */
export function vtunerCall(dice: Dice): FuzzCall {
  const term = (): string => encodeURIComponent(dice.pick(TERMS));
  const makers: readonly (() => string)[] = [
    () => `gofile=${dice.chance(0.8) ? dice.pick(FOLDER_NAMES) : term()}`,
    () => `id=${dice.pick(IDS)}`,
    () => `stationid=${dice.pick(IDS)}`,
    () => `showid=${dice.pick(IDS)}`,
    () => `sSearchtype=${dice.below(7)}&search=${dice.chance(0.4) ? dice.pick(IDS) : term()}`,
    () => `sFavName=${term()}`,
    () => `start=${dice.below(40)}&howmany=${dice.below(300)}`,
    () => `startItems=${dice.below(200)}&endItems=${dice.below(200)}`,
    () => `dlang=${dice.pick(words('eng ger fre swe xxx zz %00 e'))}`,
    () => `fver=${dice.pick(words('W M 8 1.754333'))}`,
    () => 'token=0',
  ];
  const pairs = Array.from({ length: 1 + dice.below(4) }, () => dice.pick(makers)());
  const query = [...pairs, ...(dice.chance(0.8) ? [`mac=${dice.pick(MACS)}`] : [])].join('&');
  const path = `${dice.pick(BRANDS)}/asp/${dice.pick(FOLDERS)}/${dice.pick(FILES)}?${query}`;
  const headers: Record<string, string> = {};
  if (dice.chance(0.5))
    headers['host'] = dice.pick(words('radioyamaha.vtuner.com denon.vtuner.com:80 x 127.0.0.1'));
  if (dice.chance(0.3)) headers['user-agent'] = dice.pick(words('FSL_IR/0.1 FSL Yamaha/1.0'));
  if (dice.chance(0.1)) headers['accept-encoding'] = 'gzip';
  const target = inForm(dice, sendable(`/setupapp/${maybeMutated(dice, path)}`));
  return { method: dice.chance(0.03) ? 'HEAD' : 'GET', target, form: undefined, headers };
}
