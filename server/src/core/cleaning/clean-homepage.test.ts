import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cleanHomepage, cleanLogo, homepageHost, MAX_HOMEPAGE_LENGTH } from './clean-homepage.ts';

test('a homepage is a public web page of the station', () => {
  const cases: Record<string, string | undefined> = {
    'https://a.example/': 'https://a.example/',
    ' http://A.example/Über uns ': 'http://a.example/%C3%9Cber%20uns',
    'www.a.example': 'http://www.a.example/',
    'a.example/radio': 'http://a.example/radio',
    'http://https://a.example/': 'https://a.example/',
    'ftp://a.example/': undefined,
    'javascript:alert(1)': undefined,
    'mailto:a@b.example': undefined,
    'http://user:x@a.example/': undefined,
    'http://192.168.0.1/': undefined,
    'https://tunein.com/radio/x': undefined,
    nothing: undefined,
    '': undefined,
    [`http://a.example/${'x'.repeat(MAX_HOMEPAGE_LENGTH)}`]: undefined,
  };
  for (const [text, page] of Object.entries(cases))
    assert.equal(cleanHomepage(text), page, text.slice(0, 50));
});

test('hosts tell owners apart, and shared hosts do it by path', () => {
  const cases: Record<string, string | undefined> = {
    'https://www.a.example/news': 'a.example',
    'https://radio.a.example/': 'radio.a.example',
    'https://www.facebook.com/MyRadio/about': 'facebook.com/myradio',
    'https://facebook.com/pages/MyRadio/77': 'facebook.com/myradio',
    'https://www.facebook.com/': undefined,
    'https://laut.fm/my-radio': 'laut.fm/my-radio',
    'https://zeno.fm/radio/my-radio/': 'zeno.fm/my-radio',
    'https://sites.google.com/view/my-radio/home': 'sites.google.com/my-radio',
    'https://www.google.com/search?q=x': undefined,
    'https://onlineradiobox.com/de/x': undefined,
    'https://de.wikipedia.org/wiki/X': undefined,
    'http://stream.laut.fm/x': undefined,
    nonsense: undefined,
  };
  for (const [page, host] of Object.entries(cases)) assert.equal(homepageHost(page), host, page);
});

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
