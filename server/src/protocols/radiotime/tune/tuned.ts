import type { DirectoryStation, DirectoryStream } from '../../../core/directory/snapshot/snapshot.ts';
import { guideId, type GuideId, type GuideLetter } from '../../../lib/guide-id.ts';
import type { RelayPermission } from '../../../storage/catalog/streams/relayed-stream.ts';
import { formatsOfScheme, isStreamFormat } from '../../../lib/stream-format.ts';
import type { ListedTopicRow } from '../../../storage/catalog/shows/topics.ts';

/** What an id resolves to: a name and its streams, possibly none. */
export interface Tuned {
  name: string;
  /** The tuned item; a station's streams have ids of their own. */
  guideId: GuideId<'s' | 't' | 'p' | 'u'>;
  /** A topic's show. */
  showId?: GuideId<'p'> | undefined;
  streams: readonly DirectoryStream[];
  durationSeconds?: number | undefined;
  /** What a station says about relays. */
  relay?: RelayPermission | undefined;
  /** Saved by the listener: returned unless the device cannot play its scheme, and never cached. */
  isSaved?: true | undefined;
}

export const tunedStation = (
  { id, name, relay, streams }: DirectoryStation,
  only: readonly DirectoryStream[] = streams,
): Tuned => ({ name, guideId: guideId('s', id), relay, streams: only });

/** A file as a stream. Topics are not probed, so all count as equally reliable. */
const fileStream = (id: number, address: string): DirectoryStream => ({
  id,
  address,
  resolvedAddress: undefined,
  format: undefined,
  playlist: undefined,
  bitrate: 0,
  reliability: 100,
  verdict: undefined,
  codec: undefined,
  redirects: 0,
});

/** A topic of unknown format counts as MP3, as nearly every podcast is: better to try than to refuse. */
export function tunedTopic(topic: ListedTopicRow): Tuned {
  const format = topic.format !== null && isStreamFormat(topic.format) ? topic.format : 'mp3';
  return {
    name: topic.title,
    guideId: guideId('t', topic.id),
    showId: guideId('p', topic.show_id),
    streams: [{ ...fileStream(topic.id, topic.address), format }],
    durationSeconds: topic.duration_seconds ?? undefined,
  };
}

export const tunedAddress = (id: number, name: string, address: string): Tuned => ({
  name,
  guideId: guideId('u', id),
  streams: [{ ...fileStream(id, address), format: formatsOfScheme(address)?.[0] }],
  isSaved: true,
});

export const isOf = <Letter extends GuideLetter>(letter: Letter, id: GuideId): id is GuideId<Letter> =>
  id.startsWith(letter);
