/** The most that is asked for: nobody publishes more, and nobody looks farther ahead. */
export const MOST_DAYS = 7;

const DAY = /\{(yyyymmdd|yyyy-mm-dd)\}/g;

export interface DayAddress {
  /** `20260329`; '' where one address is of all days. */
  day: string;
  address: string;
}

/** `…/{yyyymmdd}_PI.xml` as the addresses of a week from today; any other address is the only one. */
export function dayAddresses(template: string, today: Temporal.PlainDate): DayAddress[] {
  if (!isDaily(template)) return [{ day: '', address: template }];
  return Array.from({ length: MOST_DAYS }, (_, ahead) => today.add({ days: ahead }).toString()).map((iso) => {
    const day = iso.replaceAll('-', '');
    const address = template.replaceAll(DAY, (_whole, form) => (form === 'yyyymmdd' ? day : iso));
    return { day, address };
  });
}

export const isDaily = (template: string): boolean => template.search(DAY) !== -1;
