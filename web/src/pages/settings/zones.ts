import { withDigits } from '../../i18n/languages.ts';

/** Every time zone that the browser knows, and the current one even if it does not. */
export function listZones(own: string): string[] {
  const known = Intl.supportedValuesOf('timeZone');
  return own === '' || known.includes(own) ? known : [own, ...known];
}

/** "Europe/Dublin" in readable form, with the current time there. */
export function writeZone(zone: string, { now, language }: { now: number; language: string }): string {
  const name = zone.replaceAll('_', ' ').replaceAll('/', ' / ');
  try {
    return `${name} (${new Date(now).toLocaleTimeString(withDigits(language), { timeZone: zone, timeStyle: 'short' })})`;
  } catch {
    return name;
  }
}
