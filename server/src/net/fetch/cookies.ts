/** `name=value` of a `Set-Cookie`, with nothing in it that could end a line of ours. */
const PAIR = /^([\w!#$%&'*+.^`|~-]{1,64})=([\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]{0,512})\s*(?:;|$)/;
const MAX_COOKIES = 10;
const MAX_HOSTS = 20;

/**
 * Cookies on the way to one stream: some servers redirect to the same address with one, and only who brings it back hears
 * anything; some want it with every segment of HLS. They go back to the host that set them and are forgotten with the way.
 */
export class Cookies {
  readonly #byHost = new Map<string, Map<string, string>>();

  /** Of a head: a line each. */
  keep(host: string, lines: readonly string[]): void {
    for (const line of lines) {
      const [, name, value] = PAIR.exec(line) ?? [];
      const kept = this.#byHost.get(host) ?? new Map<string, string>();
      if (name === undefined || value === undefined) continue;
      // One that is known has another value now: they are renewed while a station plays for hours.
      if (kept.size >= MAX_COOKIES && !kept.has(name)) continue;
      if (this.#byHost.size >= MAX_HOSTS && !this.#byHost.has(host)) continue;
      this.#byHost.set(host, kept.set(name, value));
    }
  }

  /** What `Cookie` says to a host; undefined where it set none. */
  valueFor(host: string): string | undefined {
    const pairs = [...(this.#byHost.get(host) ?? [])].map(([name, value]) => `${name}=${value}`);
    return pairs.length > 0 ? pairs.join('; ') : undefined;
  }
}
