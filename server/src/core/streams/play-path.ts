import { guideId } from '../../lib/guide-id.ts';

/**
 * The address at which a station is always played, below the host that was asked. It never changes: players make the id
 * of a channel from it. So its ending says nothing about the format; it is there for players that look for one. And no
 * `&` or `?`: there are players that spoil those.
 */
export const playPath = (stationId: number): string => `/play/${guideId('s', stationId)}.mp3`;
