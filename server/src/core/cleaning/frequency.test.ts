import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Broadcast, parseBroadcast } from './frequency.ts';

const say = ({ callSign, frequency, band }: Broadcast): string =>
  `${callSign ?? '-'} ${frequency ?? '-'} ${band ?? '-'}`;

function check(country: string | undefined, table: Record<string, string>): void {
  for (const [name, expected] of Object.entries(table))
    assert.equal(say(parseBroadcast(name, country)), expected, name);
}

test('American call signs', () => {
  check('US', {
    'WNYC 93.9 FM': 'WNYC 93.9 FM',
    'WNYC-FM 93.9': 'WNYC-FM 93.9 FM',
    'WBBR 1130 "Bloomberg Radio" New York, NY': 'WBBR 1130 AM',
    '1010 WINS': '- - -',
    '1010 AM WINS': '- 1010 AM',
    'KEXP 90.3 Seattle': 'KEXP 90.3 FM',
    'WKSU-HD3 Classical': 'WKSU-HD3 - -',
    'WGN Radio 720': 'WGN 720 AM',
    'WGN Radio': '- - -',
    'KISS FM': '- - -',
    'THE WOLF WITH LOVE': '- - -',
    'Wolf Radio': '- - -',
    'WTOP 103.5 Top 1000 hits': 'WTOP 103.5 FM',
    'KXYZ 1320s Jazz': 'KXYZ - -',
    "WOW'S Radio": '- - -',
    'KNOWN UNKNOWN': '- - -',
  });
});

test('call signs of other countries, and of none', () => {
  check('CA', { 'CBLA 99.1 Toronto': 'CBLA 99.1 FM', 'CFRB 1010': 'CFRB 1010 AM', 'CITY FM': '- - -' });
  check('MX', {
    'Exa FM (Celaya) - 99.5 FM - XHAF-FM - Radiorama': 'XHAF-FM 99.5 FM',
    'La Comadre - 1260 AM - XEL-AM': 'XEL-AM 1260 AM',
  });
  check('PH', { 'DZMM 630 AM': 'DZMM 630 AM' });
  check('DE', { 'WDR 2': '- - -', 'KISS 98.8': '- 98.8 FM' });
  check(undefined, { 'WNYC 93.9 FM': '- 93.9 FM' });
});

test('frequencies and bands', () => {
  check('PL', {
    'Alfa 91,3 FM': '- 91.3 FM',
    'FM 99': '- 99.0 FM',
    '99 FM': '- 99.0 FM',
    '101.10 FM': '- 101.1 FM',
    'FM1045 音乐': '- 104.5 FM',
    'FM102.4 靖江广播电台': '- 102.4 FM',
    'Радио 103,5 МГц': '- 103.5 FM',
    'Coast AM 963': '- 963 AM',
    'Coast 1215 kHz': '- 1215 AM',
    'Mix 91.5 FM / 630 AM': '- 91.5 FM',
  });
});

test('numbers that are no frequency', () => {
  check('PL', {
    'Radio 90s': '- - -',
    'Top 100 Hits': '- - -',
    '80s80s Radio 24/7': '- - -',
    'Jazz 96.5k': '- - -',
    'Stream 128 kbps': '- - -',
    'Version 99.1.2': '- - -',
    '111.1 FM': '- - -',
    '100% FM': '- - -',
    '1.FM': '- - -',
    'Radio 2 AM': '- - -',
    'Studio 5000 AM': '- - -',
    'IAM 1000': '- - -',
  });
});
