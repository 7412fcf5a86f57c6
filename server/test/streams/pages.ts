import type { IncomingMessage, ServerResponse } from 'node:http';
import { address } from './hosts.ts';

interface Page {
  type: string;
  text: string;
}

const STREAM = address('icecast', '/mp3');
const pls = (to: string): Page => ({
  type: 'audio/x-scpls',
  text: `[playlist]\nNumberOfEntries=1\nFile1=${to}\nTitle1=Harbour\nLength1=-1\nVersion=2\n`,
});
const m3u = (to: string): Page => ({ type: 'audio/x-mpegurl', text: `#EXTM3U\n#EXTINF:-1,Harbour\n${to}\n` });

/** As stations write them, ASX with the capitals that Windows Media's manuals show. */
const LISTS: Readonly<Record<string, Page>> = {
  '/harbour.m3u': m3u(STREAM),
  '/harbour.pls': pls(STREAM),
  '/nested.m3u': m3u(address('lists', '/inner.pls')),
  '/inner.pls': pls(STREAM),
  '/loop.m3u': m3u(address('lists', '/loop.m3u')),
  '/harbour.asx': {
    type: 'video/x-ms-asf',
    text: `<ASX Version="3.0">\n<Title>Harbour & Sea</Title>\n<Entry><Ref HREF="${STREAM}"/></Entry>\n</ASX>\n`,
  },
  '/harbour.xspf': {
    type: 'application/xspf+xml',
    text: `<?xml version="1.0"?><playlist version="1" xmlns="http://xspf.org/ns/0/"><trackList><track><location>${STREAM}</location></track></trackList></playlist>`,
  },
};

const MOVES: Readonly<Record<string, [status: number, to: string]>> = {
  '/one': [302, STREAM],
  '/three': [301, '/two'],
  '/two': [307, address('moved', '/one')],
  '/six': [302, '/five'],
  '/five': [302, '/four'],
  '/four': [302, '/three'],
  '/secure': [302, 'https://secure.radio-haven.net/mp3'],
  '/circle': [302, '/circle'],
};

const TROUBLES: Readonly<Record<string, [status: number, headers?: Record<string, string>]>> = {
  '/gone': [410],
  '/members': [401, { 'www-authenticate': 'Basic realm="members"' }],
  '/refused': [403],
  '/abroad': [451],
  '/full': [503, { 'retry-after': '600' }],
  '/page': [200, { 'content-type': 'text/html' }],
};

export function answerLists({ url = '' }: IncomingMessage, response: ServerResponse): void {
  const page = LISTS[url];
  if (page) response.setHeader('content-type', page.type).end(page.text);
  else response.writeHead(404).end();
}

export function answerMoved({ url = '' }: IncomingMessage, response: ServerResponse): void {
  const [status, location] = MOVES[url] ?? [404, ''];
  response.writeHead(status, location === '' ? {} : { location }).end();
}

export function answerTrouble({ url = '' }: IncomingMessage, response: ServerResponse): void {
  const [status, headers] = TROUBLES[url] ?? [404];
  response.writeHead(status, headers).end('<!doctype html><title>Not here</title><p>No radio here.</p>\n');
}
