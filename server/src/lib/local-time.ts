/**
 * When a clock on the wall shows a time. One that clocks skip is the moment they skip it, so that what follows is never
 * overtaken; of two that look the same it is the first.
 */
export function instantOf(local: Temporal.PlainDateTime, zone: string): Temporal.Instant {
  const shown = local.toZonedDateTime(zone);
  if (shown.toPlainDateTime().equals(local)) return shown.toInstant();
  const before = local.toZonedDateTime(zone, { disambiguation: 'earlier' });
  return (before.getTimeZoneTransition('next') ?? shown).toInstant();
}

/** Whether this is the name of a zone, `Europe/Berlin`, or an offset from UTC. */
export function isZone(name: string): boolean {
  try {
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name);
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
