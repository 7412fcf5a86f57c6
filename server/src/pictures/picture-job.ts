import { type DueImage, claimImages } from '../catalog/due-images.ts';
import { forgetUnusedPictures } from '../catalog/pictures.ts';
import type { DueJob } from '../jobs/due-job.ts';
import type { TimedJob } from '../jobs/timed.ts';
import { type LookNeeds, lookAtImage } from './look-at-image.ts';

/** Longer than a fetch and a full line before the press take together; a picture whose worker died waits so long. */
const LEASE_SECONDS = 300;
const AT_ONCE = 10;
/** What may be asked of a host at once, here and everywhere. */
const PER_HOST = 2;

export interface PictureJobOptions {
  /** How many are fetched at once. */
  atOnce?: number | undefined;
  leaseSeconds?: number | undefined;
}

/** The job that gets the pictures of stations and shows: those of the most listened to first, all once a month. */
export function pictureJob(
  needs: LookNeeds,
  { atOnce = AT_ONCE, leaseSeconds = LEASE_SECONDS }: PictureJobOptions = {},
): DueJob<DueImage> {
  const busy = new Map<string, number>();
  const count = (host: string, more: number): void => {
    const left = (busy.get(host) ?? 0) + more;
    if (left > 0) busy.set(host, left);
    else busy.delete(host);
  };
  return {
    name: 'pictures',
    atOnce,
    idOf: ({ kind, item_id }) => `${kind}${item_id}`,
    async claim(most) {
      const claimed = await claimImages(needs.pool, { most, leaseSeconds, busy, mostPerHost: PER_HOST });
      for (const { host } of claimed) count(host, 1);
      return claimed;
    },
    async work(due, { cut }) {
      try {
        return await lookAtImage(needs, due, cut);
      } finally {
        count(due.host, -1);
      }
    },
  };
}

/** Pictures that items have no longer are forgotten at night. */
export const forgetPicturesJob = ({ pool }: Pick<LookNeeds, 'pool'>): TimedJob => ({
  name: 'forget-pictures',
  at: '41 3 * * *',
  work: async (signal) => ((await forgetUnusedPictures(pool, signal)) > 0 ? 'forgotten' : 'none'),
});
