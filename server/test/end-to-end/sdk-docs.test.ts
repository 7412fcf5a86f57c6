import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, mock, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { DirectoryClient } from '../../../client/src/client.ts';
import { listMethods } from './client-methods.ts';
import { startService, type Service } from './service.ts';

const CHECKOUT = join(import.meta.dirname, '../../..');
const CLIENT = pathToFileURL(join(CHECKOUT, 'client/src/client.ts')).href;
const folder = mkdtempSync(join(tmpdir(), 'longwave-readme-'));
let service: Service;
before(async () => {
  service = await startService();
});
after(async () => {
  rmSync(folder, { recursive: true });
  await service[Symbol.asyncDispose]();
});

const readme = readFileSync(join(CHECKOUT, 'client/README.md'), 'utf8');
const EXAMPLES = [...readme.matchAll(/^## (.*)$[^]*?^```ts\n([^]*?)^```$/gm)].map(
  ([, title = '', code = '']) => ({
    title,
    code,
  }),
);

/** What the example says it prints. */
const promised = (code: string): string[] =>
  [...code.matchAll(/console\.log\(.*\); \/\/ (.*)$/gm)].map(([, line = '']) => line);

test('there are examples', () => assert.equal(EXAMPLES.length, 5));

for (const [index, { title, code }] of EXAMPLES.entries()) {
  test(`the example "${title}" prints what it says`, async () => {
    const file = join(folder, `example-${index}.ts`);
    const local = code
      .replaceAll('https://radio.example.org', service.secureOrigin)
      .replaceAll('http://radio.example.org', service.origin)
      .replace("'@longwave/client'", `'${CLIENT}'`);
    writeFileSync(file, local);
    const log = mock.method(console, 'log', () => undefined);
    try {
      await import(pathToFileURL(file).href);
    } finally {
      log.mock.restore();
    }
    const printed = log.mock.calls.map(({ arguments: words }) => words.join(' '));
    assert.ok(printed.length > 0);
    assert.deepEqual(printed, promised(code));
  });
}

test('docs/sdk.md names every method of the client, and no other', () => {
  const text = readFileSync(join(CHECKOUT, 'docs/sdk.md'), 'utf8');
  const rows = text.split('\n').filter((line) => line.startsWith('| `'));
  const named = rows.flatMap((row) =>
    [...(row.split('|')[1] ?? '').matchAll(/`([\w.]+)\(/g)].map(([, name = '']) => name),
  );
  const methods = listMethods(new DirectoryClient({ baseUrl: 'http://radio.test' }));
  assert.deepEqual(new Set(named), new Set(methods));
});
