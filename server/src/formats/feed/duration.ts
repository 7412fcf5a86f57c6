/** Longer is a mistake: nobody listens for a week. */
const MOST_SECONDS = 7 * 24 * 3600;

const CLOCK = /^(?:(\d{1,4}):)?(\d{1,5}):(\d{1,2})(?:[.,]\d+)?$/;
const SECONDS = /^(\d{1,8})(?:[.,]\d*)?\s*(?:s|sec|secs|seconds)?$/;
/** `PT1H2M3S`, `1h 2m 3s`, `45 min`. */
const UNITS =
  /^(?:pt)?(?:(\d{1,3})\s*h(?:ours?|rs?)?)?\s*(?:(\d{1,4})\s*m(?:in(?:ute)?s?)?)?\s*(?:(\d{1,6})(?:\.\d+)?\s*s(?:ec(?:ond)?s?)?)?\.?$/;

/** How long a topic takes, as feeds write it: `1:02:03`, `62:03`, `3723`. Nothing and nonsense are undefined. */
export function parseDuration(text: string): number | undefined {
  const told = text.trim().toLowerCase();
  if (told === '' || told.length > 40) return undefined;
  const [, plain] = SECONDS.exec(told) ?? [];
  if (plain !== undefined) return inBounds(Number(plain));
  const [, hours = '0', minutes = '0', seconds = '0'] = CLOCK.exec(told) ?? UNITS.exec(told) ?? [];
  return inBounds(Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds));
}

const inBounds = (seconds: number): number | undefined =>
  seconds > 0 && seconds <= MOST_SECONDS ? seconds : undefined;
