import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findFlaw } from './check-answer.ts';

const HEAD =
  '<?xml version="1.0" encoding="UTF-8"?>\n<opml version="1">\n<head><status>200</status></head>\n';
const XML = 'text/xml; charset=utf-8';
const JSON_TYPE = 'application/json; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';
const GOOD = '{"head":{"status":"200"},"body":[]}';

const cases: [type: string, body: string, flaw: RegExp | undefined, status?: number][] = [
  [XML, `${HEAD}<body><outline text="a &amp; b"/></body></opml>`, undefined],
  [XML, `${HEAD}<body><outline text="a & b"/></body></opml>`, /unclosed tag/],
  [XML, `${HEAD}<body>`, /unclosed/],
  [XML, `${HEAD}<body>\u0001</body></opml>`, /disallowed character/],
  [XML, `${HEAD.replace('200', '500')}<body></body></opml>`, /status 500/],
  [XML, `${HEAD.replace('200', '503')}<body></body></opml>`, /status 503/],
  [XML, ` ${HEAD}<body></body></opml>`, /envelope/],
  [JSON_TYPE, GOOD, undefined],
  [JSON_TYPE, `${GOOD},`, /SyntaxError/],
  [JSON_TYPE, GOOD.replace('"200"', '200'), /status/],
  [JSON_TYPE, GOOD.replace('200', '500'), /status 500/],
  [SCRIPT, `a.b(${GOOD});`, undefined],
  [SCRIPT, `alert(1)//(${GOOD});`, /SyntaxError|function/],
  [SCRIPT, `a(${GOOD.replace('[]', '["</script>"]')});`, /end the script/],
  ['audio/x-mpegurl', 'http://a/\n', undefined],
  ['audio/x-mpegurl', '#STATUS: 400\n', undefined],
  ['audio/x-mpegurl', 'http://a/\njavascript:x\n', /javascript:x/],
  ['audio/x-mpegurl', 'http://a/', /line end/],
  ['application/xspf+xml', '<playlist><title>a & b</title></playlist>', /unclosed tag/],
  ['text/html', '<p>', /unexpected type/],
  ['', '', undefined, 431],
  ['', '', /unexpected type/],
  ['text/plain', 'x', /HTTP status 502/, 502],
];
for (const [contentType, body, flaw, status = 200] of cases) {
  test(`${status} ${contentType} ${body.slice(-60).replaceAll('\n', ' ')}`, () => {
    const found = findFlaw({ status, contentType, body: Buffer.from(body) });
    if (flaw) assert.match(found ?? '', flaw);
    else assert.equal(found, undefined);
  });
}

test('a broken character is a flaw', () => {
  assert.match(findFlaw({ status: 200, contentType: XML, body: Buffer.from([0xff]) }) ?? '', /not valid/);
});
