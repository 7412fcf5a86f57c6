import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeText } from './decode-text.ts';

test('bytes become text by their mark, as UTF-8, or as Windows-1252', () => {
  const cases: [number[], string][] = [
    [[0x52, 0xc3, 0xa9], 'Ré'],
    [[0xef, 0xbb, 0xbf, 0x52], 'R'],
    [[0xef, 0xbb, 0xbf, 0x52, 0xe9], 'Ré'],
    [[0x52, 0xe9], 'Ré'],
    [[0x80, 0x20, 0x93], '€ “'],
    [[0xff, 0xfe, 0x52, 0x00], 'R'],
    [[0xfe, 0xff, 0x00, 0x52], 'R'],
    [[], ''],
  ];
  for (const [bytes, text] of cases) assert.equal(decodeText(Uint8Array.from(bytes)), text);
});
