import { selectStations } from '../directory/select-stations.ts';
import type { DirectoryStation, Snapshot } from '../directory/snapshot.ts';
import { guideId } from '../lib/guide-id.ts';
import { type FormatMask, type StreamFormat, formatBit, formatNames } from '../lib/stream-format.ts';
import type { Outline } from '../opml/document.ts';
import { streamOutline } from '../opml/stream-outlines.ts';

/** A stream for each format that the caller names, of the best known station that has it, to try a player on. */
export const sampleOutlines = (snapshot: Snapshot, formats: FormatMask): Outline[] =>
  formatNames(formats).flatMap((format) => {
    const request = { formats: formatBit(format), offset: 0, limit: 1 };
    const [station] = selectStations(snapshot, request).stations;
    return station ? sampleOf(station, format) : [];
  });

function sampleOf(station: DirectoryStation, format: StreamFormat): Outline[] {
  const stream = station.streams.find((candidate) => candidate.format === format);
  if (!stream) return [];
  const { id, address, bitrate, reliability } = stream;
  const [eId, sId] = [guideId('e', id), guideId('s', station.id)];
  return [
    streamOutline({ guideId: eId, parentId: sId, name: station.name, address, bitrate, reliability, format }),
  ];
}
