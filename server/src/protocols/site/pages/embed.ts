import { randomBytes } from 'node:crypto';
import { findStation } from '../../../core/directory/lookup/lookups.ts';
import { stationIn } from '../../../core/directory/lookup/in-words.ts';
import type { DirectoryStation } from '../../../core/directory/snapshot/snapshot.ts';
import { numberOf } from '../../../lib/guide-id.ts';
import type { PageAnswer, PageCall } from '../../../net/http/endpoints/page-endpoint.ts';
import type { Build } from './build.ts';
import { Markup, bdi, tag } from './markup.ts';
import { packed } from './packed.ts';
import { embedPolicy } from './policy.ts';
import { inLanguage, type Reader, type Say, sayIn } from './reader.ts';
import { type FactsDeps, songText } from './station-page.ts';

/**
 * `/embed/s123`: the player of one station for other people's pages, in an `iframe`. It is the only page that may be
 * framed; it sets no cookie, asks for no account, and loads a few kilobytes of its own.
 */
export function embedAnswer(
  build: Build,
  call: PageCall,
  reader: Reader,
  { directory, songOf }: FactsDeps,
): PageAnswer | { moved: string } | undefined {
  const id = call.path.replace(/^\/embed\//, '');
  const snapshot = directory.current();
  const station = findStation(snapshot, numberOf('s', id) ?? Number.NaN);
  if (!station) return undefined;
  if (id !== `s${station.id}`) return { moved: `/embed/s${station.id}${call.query}` };
  const nonce = randomBytes(16).toString('base64');
  const song = songOf?.(station.id);
  const text = pageOf(stationIn(snapshot, station, reader.words), {
    reader,
    say: sayIn(build.first.words, reader),
    line: song ? songText(song) : undefined,
    theme: themeOf(call.query),
    files: build.first.pages.get('embed') ?? [],
    nonce,
  });
  return {
    status: 200,
    contentType: 'text/html; charset=utf-8',
    ...packed(text, call.headers['accept-encoding']),
    cacheControl: 'private, no-cache',
    headers: {
      'Content-Security-Policy': embedPolicy(nonce, call.peer.scheme),
      'Permissions-Policy': 'camera=(), microphone=(), payment=(), usb=(), geolocation=()',
      // Pages that ask this of everything they embed may embed this too.
      'Cross-Origin-Resource-Policy': 'cross-origin',
      Vary: 'Accept-Language, Accept-Encoding',
    },
  };
}

/** As the reader's device has it, unless the page that frames it says which one suits it. */
function themeOf(query: string): string | undefined {
  const theme = new URLSearchParams(query).get('theme');
  return theme === 'light' || theme === 'dark' ? theme : undefined;
}

interface Around {
  reader: Reader;
  say: Say;
  /** The current song. */
  line: string | undefined;
  theme: string | undefined;
  /** Of the build: a script and its style sheet, and what they load at once. */
  files: readonly string[];
  nonce: string;
}

function pageOf(station: DirectoryStation, { reader, say, line, theme, files, nonce }: Around): string {
  const { id, name } = station;
  const { origin, words, lang } = reader;
  const page = origin + inLanguage(`/listen/station/s${id}`, lang);
  const [script, ...others] = files.filter((file) => !isStyle(file));
  const about = tag('a', { href: page, target: '_blank', rel: 'noopener' }, bdi(name));
  const head = tag(
    'head',
    {},
    tag('meta', { charset: 'utf-8' }),
    tag('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
    tag('title', {}, `${name} · Longwave`),
    tag('meta', { name: 'robots', content: 'noindex' }),
    tag('link', { rel: 'canonical', href: `${origin}/listen/station/s${id}` }),
    files.filter(isStyle).map((file) => tag('link', { rel: 'stylesheet', href: `/listen/${file}` })),
    others.map((file) => tag('link', { rel: 'modulepreload', href: `/listen/${file}`, nonce })),
    script !== undefined && tag('script', { type: 'module', src: `/listen/${script}`, nonce }),
  );
  const body = tag(
    'body',
    {},
    tag(
      'main',
      {},
      tag('img', { src: `/logos/s${id}d.png`, alt: '', width: '64', height: '64' }),
      tag(
        'div',
        {},
        tag('h1', {}, about),
        tag('p', { 'aria-live': 'polite' }, line ?? station.placeName),
        tag('a', { href: `${origin}/listen/`, target: '_blank', rel: 'noopener' }, 'Longwave'),
      ),
      playButton(station, say),
    ),
  );
  return `<!doctype html>\n${tag('html', { lang: words.spoken, 'data-theme': theme }, head, body).html}\n`;
}

const isStyle = (file: string): boolean => file.endsWith('.css');

const SIGN = '<path d="M7 4.5v15l13-7.5z"/><path d="M6 5h4v14H6zM14 5h4v14h-4z"/>';

/** Until its script is there it does nothing, and says so. */
const playButton = ({ id, name }: DirectoryStation, say: Say): Markup =>
  tag(
    'button',
    {
      type: 'button',
      disabled: '',
      'data-station': `s${id}`,
      'data-name': name,
      'data-play': say('player.playName').replace('{name}', () => name),
      'data-pause': say('player.pause'),
      'data-trouble': say('player.whyNetwork'),
      'data-loading': say('state.slow'),
      'aria-label': say('player.playName').replace('{name}', () => name),
    },
    tag(
      'svg',
      { viewBox: '0 0 24 24', width: '24', height: '24', fill: 'currentColor', 'aria-hidden': 'true' },
      new Markup(SIGN),
    ),
  );
