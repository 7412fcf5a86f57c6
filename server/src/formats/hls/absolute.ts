const LONGEST_ADDRESS = 2048;

/** An address of the web, made whole by where it is written. */
export function absolute(written: string | undefined, base: string): string | undefined {
  const url = written && written.length <= LONGEST_ADDRESS ? URL.parse(written, base) : null;
  return url && (url.protocol === 'http:' || url.protocol === 'https:') ? url.href : undefined;
}
