import type { DirectoryStream } from '../../src/core/directory/snapshot/snapshot.ts';

/** A stream that everything plays, but for what is said. */
export const directoryStream = (id: number, changes: Partial<DirectoryStream> = {}): DirectoryStream => ({
  id,
  address: `http://a/${id}`,
  resolvedAddress: undefined,
  format: 'mp3',
  playlist: undefined,
  bitrate: 128,
  reliability: 90,
  verdict: undefined,
  codec: undefined,
  redirects: 0,
  ...changes,
});
