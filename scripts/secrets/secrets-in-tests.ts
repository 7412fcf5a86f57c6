import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const SOURCES = [
  'server/src/**/*.test.ts',
  'server/test/**/*.ts',
  'client/test/**/*.ts',
  'client/src/**/*.test.ts',
];
/** Values in tests under a secret's name, in code and in addresses, and every e-mail address. */
const SECRETS = [
  /\bpassword['"]?\s*[:=]\s*['"`]([^'"`$&\s]+)['"`]/gi,
  /\bserial['"]?\s*[:=]\s*['"`]([^'"`$&\s]+)['"`]/gi,
  /[?&](?:password|serial)=([^'"`$&\s<{]+)/g,
  /\b([\w.+-]+@[\w-]+(?:\.[\w-]+)+)\b/g,
];
/** A shorter one, or a plain word, would be found by accident. */
const DISTINCT = /^(?=.{7,})(?=.*[^a-z])/i;

/** The passwords, serials and e-mail addresses that the tests of a checkout send. */
export function secretsInTests(checkout: string): string[] {
  const found = new Set<string>();
  for (const file of globSync(SOURCES, { cwd: checkout })) {
    const text = readFileSync(join(checkout, file), 'utf8');
    for (const pattern of SECRETS) for (const [, secret = ''] of text.matchAll(pattern)) found.add(secret);
  }
  return [...found].filter((secret) => DISTINCT.test(secret));
}
