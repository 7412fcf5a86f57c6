const writers = new Map<string, Intl.DateTimeFormat>();

/** `Friday, Jan 9`, in the day of UTC: the same for every listener of a language, for ever. */
export function dayText(instant: Temporal.Instant, language: string): string {
  let writer = writers.get(language);
  if (!writer) {
    writer = new Intl.DateTimeFormat(language, {
      weekday: 'long',
      month: 'short',
      day: 'numeric',
      timeZone: 'UTC',
    });
    writers.set(language, writer);
  }
  return writer.format(instant.epochMilliseconds);
}
