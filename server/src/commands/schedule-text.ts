import type { ScheduleAddressRow } from '../catalog/schedule-addresses.ts';
import type { SavedSchedule } from '../intake/schedules/save-schedule.ts';
import { guideId } from '../lib/guide-id.ts';
import type { FollowedSchedule } from '../schedules/follow.ts';
import type { GoingOn } from '../schedules/keep-going.ts';

const MOST_REASONS = 20;

export function writeSavedSchedule(saved: SavedSchedule): string {
  const { format, broadcasts, rules, newShows, from, until, passedOver } = saved;
  const more = passedOver.length - MOST_REASONS;
  return [
    `${broadcasts} broadcasts from ${from.toString()} to ${until.toString()}, read as ${format}`,
    ...(rules > 0 ? [`  ${rules} rules, which 'longwave work' lets go on day by day`] : []),
    `  ${newShows} new shows`,
    ...(passedOver.length > 0 ? [`  ${passedOver.length} passed over:`] : []),
    ...passedOver.slice(0, MOST_REASONS).map((why) => `    ${why}`),
    ...(more > 0 ? [`    and ${more} more`] : []),
  ].join('\n');
}

export const writeFollowedSchedule = (followed: FollowedSchedule): string =>
  [
    writeSavedSchedule(followed),
    `  the address is kept, and read again by 'longwave work' in ${hours(followed.intervalSeconds)}`,
  ].join('\n');

const hours = (seconds: number): string => `${Math.round(seconds / 360) / 10} hours`;

export const writeGoingOn = ({ stations, pruned }: GoingOn): string =>
  `the rules of ${stations} stations go on for three weeks; ${pruned} broadcasts of long ago were deleted`;

/** One a line. What stands behind a question mark may be a key, and is not shown. */
export function writeScheduleAddress(row: ScheduleAddressRow): string {
  const [address = ''] = row.address.split('?', 1);
  const shown = address === row.address ? address : `${address}?…`;
  const state =
    row.trouble === null
      ? `read ${minute(row.read_at)}, again ${minute(row.next_due_at)}`
      : `failed ${row.failures} times, again ${minute(row.next_due_at)}: ${row.trouble}`;
  return `${guideId('s', row.station_id)}  ${shown}  ${state}`;
}

const minute = (instant: Temporal.Instant | null): string =>
  instant?.toString({ smallestUnit: 'minute' }) ?? 'never';
