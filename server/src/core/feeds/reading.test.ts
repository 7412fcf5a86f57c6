import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseFeed } from '../../formats/feed/parse-feed.ts';
import { topicUpdate } from './reading.ts';

const NOW = Temporal.Instant.from('2026-06-01T12:00:00Z');

function formatOf(type: string, address: string): string | undefined {
  const enclosure = `<enclosure url="${address}" type="${type}"/>`;
  const feed = `<rss><channel><title>Tides</title><item><title>One</title>${enclosure}</item></channel></rss>`;
  const [item] = parseFeed(Buffer.from(feed), 'https://cdn.radio-haven.net/f.xml').items;
  return item && topicUpdate(item, NOW)?.format;
}

test('Opus in Ogg is told from Vorbis by the type, else by the address', () => {
  const cases: [type: string, file: string, format: string][] = [
    ['audio/ogg', 'one.ogg', 'ogg'],
    ['audio/ogg', 'one.opus', 'opus'],
    ['application/ogg', 'one.opus', 'opus'],
    ['audio/opus', 'one.ogg', 'opus'],
    ['audio/ogg; codecs=opus', 'one.ogg', 'opus'],
    ['audio/ogg; codecs=&quot;opus&quot;', 'one', 'opus'],
    ['audio/ogg; codecs=vorbis', 'one.ogg', 'ogg'],
    ['audio/mpeg; charset=utf-8', 'one', 'mp3'],
  ];
  for (const [type, file, format] of cases)
    assert.equal(formatOf(type, `https://cdn.radio-haven.net/${file}`), format, `${type} ${file}`);
});
