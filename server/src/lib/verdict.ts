/**
 * What was found when a stream was listened to. `dead`: nobody answers, or what answers is no sound. `refused`: not for
 * us, or not here; others may hear it. `geo`: only for some countries. `tls`: the certificate or the handshake. `codec`:
 * sound that no radio plays. `hls`: a playlist of segments that leads nowhere. `busy`: full, or asked too often.
 */
export const VERDICTS = ['plays', 'dead', 'refused', 'geo', 'tls', 'codec', 'hls', 'busy'] as const;

export type Verdict = (typeof VERDICTS)[number];

export const parseVerdict = (text: string | null): Verdict | undefined =>
  VERDICTS.find((verdict) => verdict === text);
