import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readFileSync } from 'node:fs';
import { cleanName, nameKey, readableName } from './clean-name.ts';
import { leastCpuMs } from '../../../test/processes/least-cpu-ms.ts';
import { SAMPLE_STATIONS, withoutRealData } from '../../../test/content/real-data.ts';

const cases: Record<string, Record<string, string>> = {
  'in brackets of their own': {
    'KUSC 91.5 Los Angeles - CA (96kbps AAC)': 'KUSC 91.5 Los Angeles - CA',
    'delta radio UNPLUGGED [mp3 | 192 kbps]': 'delta radio UNPLUGGED',
    'NDR Info (Hamburg) (HTTPS AAC)': 'NDR Info (Hamburg)',
    'Techno.FM (320 kbit)': 'Techno.FM',
    'Rádio Beat (128 AAC)': 'Rádio Beat',
    'Klassik Radio - Live [AAC 64 kbit/s]': 'Klassik Radio - Live',
    'Vikerraadio (128 kbps Ogg Opus) | Eesti Rahvusringhääling': 'Vikerraadio | Eesti Rahvusringhääling',
    '3RRR "Triple R" 102.7 FM (low bitrate live stream)': '3RRR "Triple R" 102.7 FM',
    'BBC Radio 5 Live (UK-HLS-Akamai)': 'BBC Radio 5 Live',
    'MDR Jump (low)': 'MDR Jump',
    'Omroep Land van Cuijk (2nd server - 320k)': 'Omroep Land van Cuijk',
    'Space Unicorn Radio (not https)': 'Space Unicorn Radio',
    'ORF Ö1 (290k HLS)': 'ORF Ö1',
  },
  'as a part of the name': {
    'WDR 2 – Rheinland | mp3 - 128 kBit/s': 'WDR 2 – Rheinland',
    'Deutschlandfunk | DLF | OPUS 24k': 'Deutschlandfunk | DLF',
    'Royalty Free Music 24/7 - HE-AAC v2 - 64K Stereo': 'Royalty Free Music 24/7',
    'HIT RADIO FFH. 128K AAC. Argentina': 'HIT RADIO FFH. Argentina',
    'radio eins | rbb | neuer Stream | niedrige Qualität': 'radio eins | rbb',
    'KINK - http': 'KINK',
    'Radio Teddy - Livestream': 'Radio Teddy',
  },
  'at the end': {
    'KINK 192k mp3': 'KINK',
    'Trance Base - AAC HD 256k': 'Trance Base',
    'Radio SRF 3 HLS 96': 'Radio SRF 3',
    'Radio Calypso 64 kbps AAC Plus Stream': 'Radio Calypso',
    'WREK 91.1 Atlanta, GA -24 kbps MP3': 'WREK 91.1 Atlanta, GA',
    'PBS 106.7FM - AAC128': 'PBS 106.7FM',
    'Matryoshka Radio @ 192Kbps': 'Matryoshka Radio',
    'Radio Paradise Rock Mix FLAC+meta': 'Radio Paradise Rock Mix',
    'Nightwave Plaza Opus 64': 'Nightwave Plaza',
    'Rádio 7 32kb': 'Rádio 7',
    漯河综合广播mp3: '漯河综合广播',
    'Hitradio Antenne 1 Göppingen .mp3 (128 kbit/s)': 'Hitradio Antenne 1 Göppingen',
  },
};

for (const [where, table] of Object.entries(cases)) {
  test(`words about the stream go where they stand ${where}`, () => {
    for (const [text, name] of Object.entries(table)) assert.equal(cleanName(text), name, text);
  });
}

test('words that are the name, or a part of it, stay', () => {
  const names = [
    'AAC',
    'Radio AAC',
    'Radio FLAC FM',
    'HQ with Jack Webb',
    'KIBM HQ With Jack Webb',
    'LRT Opus',
    'Opus 102.1',
    'Opus 100 - 7',
    'Relax Lo-Fi',
    'Radio Caprice - Lo-Fi',
    'Tambo Stereo',
    'Stereo 100, Quetzaltenango',
    'WMNF HD-2',
    'WMNF-HD 2 - The Urban Café',
    'Red River Radio - HD 4 Alt Red River',
    'HD Radio - Classic Rock',
    'Hochschulradio Aachen 99.1',
    'High Plains Public Radio 91.1 KANZ',
    'Livestream Bibellesung Deutsch',
    'WUMB Blues 24/7 Music Stream',
    'LBC London (National stream)',
    'KSUR 1260 K-Surf',
    'Radio 2000',
    'Radio CORAX Halle (trocken 160kbps VBR)',
  ];
  for (const name of names) assert.equal(cleanName(name), name);
});

test('a name that somebody chose keeps all of its words', () => {
  assert.equal(readableName(' KINK 192k mp3 '), 'KINK 192k mp3');
});

test('hostile names stay quick', () => {
  for (const part of ['128k ', 'mp3 - ', '(mp3', '| hq ', 'low ', '[(aac', '1', 'k ']) {
    const name = part.repeat(4096);
    assert.ok(leastCpuMs(() => void cleanName(name)) < 500, part);
  }
});

test('real names: none lost, none half a bracket, none cleaned further', { skip: withoutRealData }, () => {
  let changed = 0;
  for (const line of readFileSync(SAMPLE_STATIONS, 'utf8').trim().split('\n')) {
    const { name: text = '' }: { name?: string } = JSON.parse(line);
    const whole = readableName(text);
    const name = cleanName(text);
    assert.equal(name === undefined, whole === undefined, text);
    if (name === undefined || whole === undefined || name === whole) continue;
    changed += 1;
    assert.equal(cleanName(name), name);
    assert.equal(nameKey(name).length > 0, true, text);
    for (const [open, close] of [
      ['(', ')'],
      ['[', ']'],
    ] as const)
      assert.equal(count(name, open) - count(name, close), count(whole, open) - count(whole, close), text);
  }
  assert.ok(changed > 50, `${changed} names of the sample`);
});

const count = (text: string, sign: string): number => text.split(sign).length - 1;
