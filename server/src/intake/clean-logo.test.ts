import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cleanLogo } from './clean-logo.ts';

test('a logo is the public address of a picture', () => {
  const cases: Record<string, string | undefined> = {
    'https://a.example/logo.png': 'https://a.example/logo.png',
    ' http://a.example/my logo.png#x ': 'http://a.example/my%20logo.png',
    'https://a.example/?image=7&amp;size=9': 'https://a.example/?image=7&size=9',
    'https://a.example/': undefined,
    'https://a.example/index.html': undefined,
    'https://a.example/stream.mp3': undefined,
    'data:image/png;base64,AAAA': undefined,
    'file:///C:/logo.png': undefined,
    'http://10.0.0.1/logo.png': undefined,
    'http://cdn-profiles.tunein.com/s1/images/logoq.png': undefined,
    'logo.png': undefined,
    null: undefined,
  };
  for (const [text, logo] of Object.entries(cases)) assert.equal(cleanLogo(text), logo, text);
});
