/**
 * What listeners do. Their number and the hours are those that TuneIn told (75 million listeners a month; in 2012, 40 million who
 * listened for 227 million hours); the rest is assumed, and stands here to be changed.
 */
export const HABITS = {
  /** Of those who listen in a month, this share listens today. */
  shareToday: 0.25,
  sessionsADay: 2,
  hoursAMonth: 5.7,
  /** Shares of those who hear something whose device asks what plays, and how often. */
  asksWhatPlays: 0.6,
  asksEverySeconds: 60,
  /** The busiest hour of a day beside its average, for calls and for those who listen. */
  peakOfCalls: 3,
  peakOfListeners: 2,
  /** Alarm clocks on the hour: so many times the calls to play of the busiest hour. */
  alarmClocks: 10,
  /** Of those who listen in a month, so many have an account, with so many presets. */
  accounts: 1,
  presets: 8,
} as const;

export const KINDS = [
  'menu',
  'near',
  'search',
  'tune',
  'describe',
  'now playing',
  'presets',
  'save',
] as const;
export type Kind = (typeof KINDS)[number];

/** Calls of one session; what plays is asked by the hour. */
const PER_SESSION: Readonly<Record<Exclude<Kind, 'now playing'>, number>> = {
  menu: 5,
  near: 1,
  search: 1,
  describe: 1,
  tune: 1.3,
  presets: 0.8,
  save: 0.075,
};

const SECONDS_A_DAY = 86_400;
const HOURS_A_MONTH = 730;

/** How many hear something at a time, on average. */
export const hearing = (listeners: number): number => (listeners * HABITS.hoursAMonth) / HOURS_A_MONTH;

/** Calls a second, on average over the day. */
export function callsPerSecond(listeners: number): Record<Kind, number> {
  const sessions = (listeners * HABITS.shareToday * HABITS.sessionsADay) / SECONDS_A_DAY;
  return {
    menu: sessions * PER_SESSION.menu,
    near: sessions * PER_SESSION.near,
    search: sessions * PER_SESSION.search,
    tune: sessions * PER_SESSION.tune,
    describe: sessions * PER_SESSION.describe,
    'now playing': (hearing(listeners) * HABITS.asksWhatPlays) / HABITS.asksEverySeconds,
    presets: sessions * PER_SESSION.presets,
    save: sessions * PER_SESSION.save,
  };
}

/** In the busiest hour: whoever listens asks what plays, all else comes by sessions. */
export function peakCallsPerSecond(listeners: number): Record<Kind, number> {
  const average = callsPerSecond(listeners);
  const peak = { ...average };
  for (const kind of KINDS)
    peak[kind] *= kind === 'now playing' ? HABITS.peakOfListeners : HABITS.peakOfCalls;
  return peak;
}

export const sum = (values: Readonly<Record<string, number>>): number =>
  Object.values(values).reduce((total, value) => total + value, 0);
