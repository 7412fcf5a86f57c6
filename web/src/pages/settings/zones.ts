/** Every time zone that the browser knows, with the one that is set even where it does not. */
export function listZones(own: string): string[] {
  const known = Intl.supportedValuesOf('timeZone');
  return own === '' || known.includes(own) ? known : [own, ...known];
}

/** "Europe/Dublin" as one reads it, with the hour it is there now. */
export function writeZone(zone: string, { now, language }: { now: number; language: string }): string {
  const name = zone.replaceAll('_', ' ').replaceAll('/', ' / ');
  try {
    return `${name} (${new Date(now).toLocaleTimeString(language, { timeZone: zone, timeStyle: 'short' })})`;
  } catch {
    return name;
  }
}
