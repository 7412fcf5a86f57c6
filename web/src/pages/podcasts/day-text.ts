/** A day as people say it: `17 Nov`, with its year if that is another one. */
export function dayText(instant: string, locale: string, now = new Date()): string {
  const day = new Date(instant);
  const isThisYear = day.getFullYear() === now.getFullYear();
  return new Intl.DateTimeFormat(locale, {
    day: 'numeric',
    month: 'short',
    ...(isThisYear ? {} : { year: 'numeric' }),
  }).format(day);
}
