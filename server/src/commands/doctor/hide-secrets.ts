import type { Config } from '../../config.ts';

/** Shorter ones would be found in any text. */
const SHORTEST = 4;

/** What no line may show, whoever's message it came with: keys, and the passwords in addresses. */
export function secretsOf({ memberKey, databaseUrl, redisUrl, mailUrl }: Config): string[] {
  const inAddresses = [databaseUrl, redisUrl, mailUrl].flatMap((address) => passwordsIn(address));
  return [...new Set([memberKey ?? '', ...inAddresses])].filter((secret) => secret.length >= SHORTEST);
}

function passwordsIn(address: string | undefined): string[] {
  const url = URL.parse(address ?? '');
  if (!url) return [];
  const named = [...url.searchParams].filter(([name]) => /pass/i.test(name)).map(([, value]) => value);
  return [url.password, decoded(url.password), ...named];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export const hideSecrets = (text: string, secrets: readonly string[]): string =>
  secrets.reduce((shown, secret) => shown.replaceAll(secret, '***'), text);
