import { randomBytes } from 'node:crypto';

/** Secrets that were given to the service, each of them like no other text, so that a single hit is a leak. */
export class CanarySecrets {
  readonly #values = new Map<string, string[]>();

  /** Within the twelve characters that a password may have. */
  password = (): string => this.keep('password', `pw${randomBytes(4).toString('hex')}`);
  /** Written as devices write a hardware address. */
  serial = (): string =>
    this.keep('serial', randomBytes(8).toString('hex').toUpperCase().match(/../g)!.join(':'));
  email = (): string => this.keep('email', `${randomBytes(6).toString('hex')}@canary.example`);

  /** With which a broadcaster tells what its station plays. */
  stationKey = (): string => this.keep('stationKey', `lwk_${randomBytes(24).toString('base64url')}`);

  /** The kinds of secrets that stand in a text, in any spelling that has been seen to come out somewhere. */
  hits(text: string, kinds: readonly string[] = [...this.#values.keys()]): string[] {
    const lower = text.toLowerCase();
    return kinds.flatMap((kind) =>
      (this.#values.get(kind) ?? [])
        .filter((value) => spellings(value).some((spelling) => lower.includes(spelling)))
        .map((value) => `${kind} ${value}`),
    );
  }

  /** A secret that the service made itself counts as well. */
  keep(kind: string, value: string): string {
    const earlier = this.#values.get(kind);
    if (earlier) earlier.push(value);
    else this.#values.set(kind, [value]);
    return value;
  }
}

function spellings(value: string): string[] {
  const bare = value.replace(/@.*$/, '');
  const plain = [bare, bare.replaceAll(':', ''), encodeURIComponent(bare)];
  const coded = plain.map((text) => Buffer.from(text)).flatMap((bytes) => [hex(bytes), base64(bytes)]);
  return [...new Set([...plain, ...coded])].map((text) => text.toLowerCase());
}

const hex = (bytes: Buffer): string => bytes.toString('hex');
/** Without the end, which depends on what follows. */
const base64 = (bytes: Buffer): string => bytes.toString('base64').replace(/=*$/, '').slice(0, -1);
