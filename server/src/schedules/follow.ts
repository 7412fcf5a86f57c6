import { forgetScheduleAddress, keepScheduleAddress } from '../catalog/schedule-addresses.ts';
import { endRules } from '../catalog/schedule-rules.ts';
import type { Pool } from 'pg';
import { transaction } from '../db/transaction.ts';
import { FORMATS } from '../formats/schedule/parse.ts';
import { type SavedSchedule, unknownFormat } from '../intake/schedules/save-schedule.ts';
import { checkAddress } from '../lib/fetch-safely/check-address.ts';
import { FIRST_INTERVAL } from './next-reading.ts';
import { type ScheduleNeeds, readAddress } from './read-address.ts';

export interface ScheduleToFollow {
  stationId: number;
  address: string;
  format?: string | undefined;
  zone?: string | undefined;
  channel?: string | undefined;
}

export interface FollowedSchedule extends SavedSchedule {
  intervalSeconds: number;
}

/** Reads a station's schedule at an address and keeps the address, to be read again; one that cannot be read is not kept. */
export async function followSchedule(
  needs: ScheduleNeeds,
  asked: ScheduleToFollow,
): Promise<FollowedSchedule> {
  if (asked.format !== undefined && !FORMATS.includes(asked.format)) throw unknownFormat(asked.format);
  checkAddress(asked.address);
  const { stationId, format, zone, channel } = asked;
  const schedule = { stationId, format, zone, channel };
  const first = { address: asked.address, intervalSeconds: FIRST_INTERVAL, answers: {}, digest: undefined };
  const { reading, saved } = await readAddress(needs, { ...schedule, ...first });
  if (!saved) throw new Error('a first reading always tells something');
  await keepScheduleAddress(needs.pool, schedule, reading);
  return { ...saved, intervalSeconds: reading.intervalSeconds };
}

/** No more is read and no rule goes on; what is known of the coming days stays. False when there was nothing to end. */
export const forgetSchedule = (pool: Pool, stationId: number): Promise<boolean> =>
  transaction(pool, async (client) => {
    const [hadAddress, hadRules] = [
      await forgetScheduleAddress(client, stationId),
      await endRules(client, stationId),
    ];
    return hadAddress || hadRules;
  });
