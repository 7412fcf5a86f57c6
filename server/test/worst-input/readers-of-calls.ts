import {
  isDevicePassword,
  isEmail,
  isSitePassword,
  isUsername,
} from '../../src/core/accounts/account-form.ts';
import { labelOf, parseFolderName, parseSavedAddress } from '../../src/core/accounts/presets/preset-rules.ts';
import { findProfile, profileOfFormats, profileOfUserAgent } from '../../src/core/devices/profiles.ts';
import { parseLocale, preferredLocale } from '../../src/core/i18n/locale.ts';
import { keyOfAddress } from '../../src/core/cleaning/clean-address.ts';
import { soughtWords } from '../../src/core/search/song-index.ts';
import { anywhereQuery, inNameQuery, wholeQuery } from '../../src/core/search/text-query.ts';
import { cleanMarkupText, escapeJson, escapeXml } from '../../src/formats/opml/characters.ts';
import { parseCallback } from '../../src/formats/opml/write-json.ts';
import { parseCoordinate } from '../../src/lib/geo.ts';
import { parseGuideId } from '../../src/lib/guide-id.ts';
import { scrub } from '../../src/lib/log.ts';
import { tryParseJson } from '../../src/lib/parse-json.ts';
import { parsePublicAddress } from '../../src/lib/public-address.ts';
import { foldText, piecesOf, searchWords } from '../../src/lib/search-words.ts';
import { parseFormats } from '../../src/lib/stream-format.ts';
import { isZone } from '../../src/lib/zone.ts';
import { geoAddress, parseHop, securityAddress } from '../../src/net/http/caller/addresses.ts';
import { decodeComponent } from '../../src/net/http/decode-component.ts';
import { parseHost } from '../../src/net/http/caller/origin.ts';
import { hasAlready, wantsGzip } from '../../src/net/http/respond.ts';
import { parseSsdpQuestion } from '../../src/net/ssdp/message.ts';
import { parseAzuraCast } from '../../src/protocols/broadcasters/azuracast-hook.ts';
import { initialsOf, parseLogoPath } from '../../src/protocols/logos/logos.ts';
import { parseFilter } from '../../src/protocols/radiotime/browse/filter.ts';
import { parseDay, parseOffsetZone } from '../../src/protocols/radiotime/browse/schedule-menu.ts';
import { readParams } from '../../src/protocols/radiotime/call/params.ts';
import { parseQuery } from '../../src/protocols/radiotime/call/parse-query.ts';
import { readQuestion } from '../../src/protocols/radiotime/search/question.ts';
import { parseSearchCriteria } from '../../src/protocols/upnp/search-criteria.ts';
import { MAX_SOAP_BYTES, parseSoapCall } from '../../src/protocols/upnp/soap.ts';
import { agentOf } from '../../src/protocols/site/api/session.ts';
import { parseBody } from '../../src/protocols/site/session/site-endpoint.ts';
import { readSessionCookie } from '../../src/protocols/site/session/site-exchange.ts';
import { parseSignature } from '../../src/protocols/websub/websub.ts';
import { parsePostalCode } from '../../src/storage/catalog/places/account-place.ts';
import { parseCountry } from '../../src/storage/catalog/places/country-names.ts';
import { type Reader, reader } from './reader.ts';
import { parseHead } from '../../src/workers/relay/request-head.ts';

const PROXY = '192.0.2.1';

export const CALL_READERS: readonly Reader[] = [
  reader('readParams, a query', (text) => readParams(text), ['a=b&', '&&', '%C3%A9'], ['query=', '']),
  reader(
    'readParams, a form',
    (text) => readParams('', text),
    ['a=b&', '%0a'],
    ['text=', ''],
    ['query=', ''],
  ),
  reader('parseQuery', (text) => parseQuery(text), ['a=b&'], ['query=', ''], ['formats=', '']),
  reader(
    'parseHead, a request to the relay',
    parseHead,
    ['GET / HTTP/1.1', '\r\n', ': '],
    ['GET /', ' HTTP/1.1'],
  ),
  reader(
    'parseSoapCall',
    (text) => parseSoapCall(text.slice(0, MAX_SOAP_BYTES)),
    ['<a>', '&amp;', '<![CDATA['],
    ['<s:Envelope><s:Body><u:Browse><ObjectID>', '</ObjectID></u:Browse></s:Body></s:Envelope>'],
  ),
  reader(
    'parseSearchCriteria',
    parseSearchCriteria,
    ['(', 'a = "b" and ', '\\"'],
    ['dc:title contains "', '"'],
  ),
  reader(
    'parseSsdpQuestion',
    (text) => parseSsdpQuestion(Buffer.from(text, 'latin1')),
    ['ST: a\r\n', ' : ', '\n'],
    ['M-SEARCH * HTTP/1.1\r\nST: ', '\r\n\r\n'],
  ),
  reader('decodeComponent', decodeComponent, ['%C3%A9', '%F6']),
  reader('parseBody', parseBody, ['{"a":', '[']),
  reader('tryParseJson', tryParseJson, ['{"a":', '[', '"\\u0000']),
  reader(
    'readSessionCookie',
    (text) => readSessionCookie(text, 'http'),
    ['longwave=', 'a=b;'],
    ['longwave=', ''],
  ),
  reader('preferredLocale', preferredLocale, ['de;q=0.1,', 'de,', ';q = '], ['de;q=', '']),
  reader('parseLocale', parseLocale, ['de-', 'zh-Hant']),
  reader('parseFormats', parseFormats, ['mp3,', 'aac ']),
  reader('parseCoordinate', parseCoordinate, ['1,'], ['1.', ',1']),
  reader('parseGuideId', parseGuideId, ['s1'], ['s', '']),
  reader('parseHop', parseHop, ['1.', '[:'], ['[', ']']),
  reader('securityAddress', (text) => securityAddress(PROXY, text, []), ['192.0.2.1,']),
  reader('geoAddress', (text) => geoAddress(text, PROXY), ['10.0.0.1,']),
  reader('parsePublicAddress', parsePublicAddress, ['::', '1.']),
  reader('parseHost', parseHost, ['a.', 'a-'], ['a.', ':80']),
  reader('wantsGzip', wantsGzip, ['gzip', 'gzip;q=', ',gzip ']),
  reader('hasAlready', (text) => hasAlready(text, '"a"'), ['"a",', 'W/']),
  reader('profileOfUserAgent', profileOfUserAgent, ['Mozilla/5.0 (', 'Squeeze']),
  reader('findProfile, profileOfFormats', (text) => [findProfile(text), profileOfFormats(text)], ['mp3,']),
  reader('parseFilter', parseFilter, ['s:', 'bit64*:', '~A:']),
  reader('parseDay', parseDay, ['2026-01-01']),
  reader('parseOffsetZone', parseOffsetZone, ['+1']),
  reader('parseCallback', parseCallback, ['a.', 'a[0]']),
  reader('parsePostalCode', parsePostalCode, ['90210', '-1234']),
  reader('parseCountry', parseCountry, ['united ', 'republic of ']),
  reader('searchWords, piecesOf', (text) => searchWords(text).map(piecesOf), ['1.0', '1,1', '北京', 'ß']),
  reader('soughtWords', soughtWords, ['1.0', '北京']),
  reader(
    'readQuestion and its queries',
    queriesOf,
    ['1.0', '北京', 'a%20', '%E5%8C%97'],
    ['query=', ''],
    ['name=', ''],
  ),
  reader('keyOfAddress', keyOfAddress, ['/..', 'a.'], ['http://a.example.net/', '']),
  reader('agentOf', agentOf, ['Mozilla/5.0 (']),
  reader('isZone', isZone, ['Europe/', '+01:']),
  reader('foldText', foldText, ['e\u0301', '𝐑']),
  reader('isEmail', isEmail, ['a@a.', 'a.'], ['a@', '.example'], ['', '@a.example']),
  reader('isUsername', isUsername),
  reader('passwords', (text) => [isDevicePassword(text), isSitePassword(text)]),
  reader('saved texts', (text) => [labelOf(text), parseFolderName(text)], ['\u0007']),
  reader('parseSavedAddress', parseSavedAddress, ['/..', '%2e/'], ['http://a/', '']),
  reader('characters', (text) => [cleanMarkupText(text), escapeXml(text), escapeJson(text)], [
    '\ud800',
    ']]>',
  ]),
  reader('parseLogoPath', parseLogoPath, ['/s1'], ['/logos/', '.png']),
  reader('initialsOf', initialsOf, ['a ', 'á']),
  reader('parseSignature', parseSignature, ['sha1='], ['sha1=', '']),
  reader('parseAzuraCast', parseAzuraCast, ['{'], ['{"station":{},"now_playing":{"song":{"title":"', '"}}}']),
  reader('scrub', scrub, ['a@', 'a@a.', 'password=', '://a@', 'token"', 'a%40'], ['password', ''], ['@', '']),
];

function queriesOf(text: string): string[] {
  const question = readQuestion(readParams(text));
  return [anywhereQuery(question), wholeQuery(question), inNameQuery(question)];
}
