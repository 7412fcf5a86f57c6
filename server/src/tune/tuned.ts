import type { DirectoryStation, DirectoryStream } from '../directory/snapshot.ts';
import { guideId, type GuideId, type GuideLetter } from '../lib/guide-id.ts';
import { isStreamFormat } from '../lib/stream-format.ts';
import { formatsOfScheme } from '../lib/stream-schemes.ts';
import type { ListedTopicRow } from '../catalog/topics.ts';

/** What an id leads to: a name, and the streams it can be heard at, which may be none. */
export interface Tuned {
  name: string;
  /** What was tuned; the streams of a station are named by ids of their own. */
  guideId: GuideId<'s' | 't' | 'p' | 'u'>;
  /** The show of a topic. */
  showId?: GuideId<'p'> | undefined;
  streams: readonly DirectoryStream[];
  durationSeconds?: number | undefined;
  /** Saved by the listener, who knows what it is: given unless its scheme is none of the device's, and kept by nobody. */
  isSaved?: true | undefined;
}

export const tunedStation = (
  { id, name, streams }: DirectoryStation,
  only: readonly DirectoryStream[] = streams,
): Tuned => ({ name, guideId: guideId('s', id), streams: only });

/** A file somewhere, as a stream. Nothing checks topics, so each is as reliable as the next. */
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

/** A topic whose format is unknown is an MP3: nearly every podcast is, and a device is better tried than refused. */
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
