import { reliabilityAt } from '../catalog/reliability.ts';
import { STREAM_FORMATS } from '../lib/stream-format.ts';
import { parseVerdict } from '../lib/verdict.ts';
import type { StreamRow } from './queries.ts';
import type { SharedTexts } from './shared-values.ts';
import type { DirectoryStream } from './snapshot.ts';

export function streamOf(row: StreamRow, texts: SharedTexts, nowMs: number): DirectoryStream {
  const { resolved_address: resolved } = row;
  return {
    id: row.id,
    address: row.address,
    resolvedAddress: resolved === null || resolved === row.address ? undefined : resolved,
    format: STREAM_FORMATS.find((format) => format === row.format),
    playlist: texts.of(row.playlist),
    bitrate: row.bitrate,
    reliability: reliabilityOf(row, nowMs),
    verdict: parseVerdict(row.verdict),
    codec: texts.of(row.codec),
    redirects: row.redirects ?? 0,
  };
}

/** What a source says of it holds until it was looked at here. */
function reliabilityOf(row: StreamRow, nowMs: number): number {
  const { standing: value, standing_at: at, reliability } = row;
  if (value === null || at === null) return reliability;
  return Math.round(reliabilityAt({ value, atMs: at.epochMilliseconds }, nowMs));
}
