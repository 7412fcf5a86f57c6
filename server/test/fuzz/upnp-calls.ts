import type { FuzzCall } from './calls.ts';
import type { Dice } from './dice.ts';
import { mutated } from './mutate.ts';

const words = (text: string): readonly string[] => text.split(' ');
const ACTIONS = words(
  'Browse Browse Browse Browse Search Search Search GetSearchCapabilities GetSortCapabilities GetSystemUpdateID GetProtocolInfo GetCurrentConnectionInfo X_GetFeatureList constructor __proto__',
);
const IDS = words(
  '0 -1 presets presets-1 presets-9 presets.s1 root r0 r1 r5 r0.az g1 g1.az g1.az-48 g1.az-48-1 g1.az-ffffff g2 l1 languages elsewhere n20 a1 s1 0.s1 g1.s2 g1.u7 0.s99999999 constructor 0/../0',
);
const FLAGS = words('BrowseMetadata BrowseDirectChildren BrowseDirectChildren x');
const NUMBERS = words('0 0 1 5 50 200 5000 -1 4294967295 99999999999 x');
const SORTS = ['', '', '+dc:title', '-dc:title,+upnp:artist', 'dc:title', '+', ';', '+upnp:class'];
const CRITERIA = [
  '*',
  'dc:title contains "jazz"',
  'dc:title contains "radio" or upnp:artist contains "radio"',
  'upnp:class derivedfrom "object.item.audioItem" and (dc:title contains "fm")',
  'upnp:class = "object.item.audioItem.musicTrack" and @refID exists false',
  'dc:title doesNotContain "a" and upnp:genre = "Folk"',
  'dc:title contains ""',
  String.raw`dc:title contains "a\"b\\"`,
  '((dc:title = "x"))',
  '',
];
const PATHS = words(
  '/content/control /content/control /content/control /content/control /connections/control /content/event /description.xml /content.xml /play/s1.mp3 /logos/s1q.jpg /saved/u3079.mp3 /x',
);
const TOKENS = words(
  '< > </ /> & &amp; &#0; &#x110000; &x; <!DOCTYPE <![CDATA[ ]]> <!-- " \' ( ) and or contains = \\ \0 \xff \xed\xa0\x80 % xmlns:u= s: .az- .s u:',
).map((token) => Buffer.from(token, 'latin1'));

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** A control point's call, mostly one that makes sense, with something done to it every third time. */
export function upnpCall(dice: Dice): FuzzCall {
  const target = dice.pick(PATHS);
  const headers: Record<string, string> = { 'content-type': 'text/xml; charset="utf-8"' };
  if (dice.chance(0.2)) headers['accept-language'] = dice.pick(words('de fr;q=0.5,xx ja * zz-ZZ'));
  if (dice.chance(0.3))
    headers['user-agent'] = dice.pick(['Denon-Heos/1', 'VLC/3.0', 'x', 'Platinum/1.0.5.13']);
  if (dice.chance(0.1)) headers['accept-encoding'] = 'gzip';
  if (!target.endsWith('/control'))
    return {
      method: dice.chance(0.2) ? 'HEAD' : dice.chance(0.1) ? 'POST' : 'GET',
      target,
      form: undefined,
      headers,
    };
  const action = dice.pick(ACTIONS);
  const args: Record<string, string> = {
    ObjectID: dice.pick(IDS),
    ContainerID: dice.pick(IDS),
    BrowseFlag: dice.pick(FLAGS),
    SearchCriteria: maybeMutated(dice, dice.pick(CRITERIA)),
    Filter: '*',
    StartingIndex: dice.pick(NUMBERS),
    RequestedCount: dice.pick(NUMBERS),
    SortCriteria: dice.pick(SORTS),
    ConnectionID: '0',
  };
  const given = Object.entries(args).filter(() => !dice.chance(0.05));
  const body =
    '<?xml version="1.0"?><s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body>' +
    `<u:${action} xmlns:u="urn:schemas-upnp-org:service:ContentDirectory:1">` +
    `${given.map(([name, value]) => `<${name}>${escaped(value)}</${name}>`).join('')}</u:${action}></s:Body></s:Envelope>`;
  return { method: 'POST', target, form: maybeMutated(dice, body), headers };
}

const maybeMutated = (dice: Dice, text: string): string =>
  dice.chance(0.75) ? text : mutated(Buffer.from(text, 'latin1'), dice, TOKENS).toString('latin1');
