/** `name=value` of a `Set-Cookie`, with nothing in it that could end a line of ours. */
const PAIR = /^([\w!#$%&'*+.^`|~-]{1,64})=([\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]{0,512})\s*(?:;|$)/;
const MAX_COOKIES = 10;

/**
 * Cookies on the way to one stream: some servers redirect to the same address with one, and only who brings it back hears
 * anything. They go back to the host that set them and are forgotten with the way.
 */
export class Cookies {
  readonly #byHost = new Map<string, Map<string, string>>();

  /** From a head, a line each. */
  keep(host: string, lines: string | undefined): void {
    for (const line of lines?.split('\n') ?? []) {
      const [, name, value] = PAIR.exec(line) ?? [];
      const kept = this.#byHost.get(host) ?? new Map<string, string>();
      if (name === undefined || value === undefined || kept.size >= MAX_COOKIES) continue;
      this.#byHost.set(host, kept.set(name, value));
    }
  }

  /** A line of the request, with its end; empty where there are none. */
  lineFor(host: string): string {
    const pairs = [...(this.#byHost.get(host) ?? [])].map(([name, value]) => `${name}=${value}`);
    return pairs.length > 0 ? `Cookie: ${pairs.join('; ')}\r\n` : '';
  }
}
