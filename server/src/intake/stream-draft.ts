import type { SettledRecord } from './settled-record.ts';
import type { StationDraft } from './station-draft.ts';

/** A stream while a batch works on it. */
export interface StreamDraft {
  id: number;
  isNew: boolean;
  changed: boolean;
  station: StationDraft;
  address: string;
  addressKey: string;
  resolvedAddress: string | null;
  resolvedKey: string | null;
  format: string | null;
  playlist: string | null;
  bitrate: number;
  reliability: number;
  lastSeen: string | null;
  listed: boolean;
}

export function foundStream(station: StationDraft, record: SettledRecord): StreamDraft {
  const { stream } = record.clean;
  return {
    id: 0,
    isNew: true,
    changed: true,
    station,
    address: stream.address,
    addressKey: stream.addressKey,
    resolvedAddress: stream.resolved ?? null,
    resolvedKey: stream.resolvedKey ?? null,
    format: stream.format ?? null,
    playlist: stream.playlist ?? null,
    bitrate: stream.bitrateKbps,
    reliability: firstReliability(record),
    lastSeen: stream.lastSeen ?? null,
    listed: true,
  };
}

/** A second record with the same address: fills what is missing, and the newest sighting counts. */
export function foldStream(draft: StreamDraft, record: SettledRecord): void {
  const { stream } = record.clean;
  const before = JSON.stringify([
    draft.format,
    draft.bitrate,
    draft.lastSeen,
    draft.resolvedKey,
    draft.listed,
  ]);
  draft.format ??= stream.format ?? null;
  draft.bitrate ||= stream.bitrateKbps;
  if (draft.resolvedKey === null) {
    draft.resolvedAddress = stream.resolved ?? null;
    draft.resolvedKey = stream.resolvedKey ?? null;
  }
  if (stream.lastSeen !== undefined && stream.lastSeen > (draft.lastSeen ?? '')) {
    draft.lastSeen = stream.lastSeen;
  }
  draft.listed = true;
  const after = JSON.stringify([
    draft.format,
    draft.bitrate,
    draft.lastSeen,
    draft.resolvedKey,
    draft.listed,
  ]);
  if (after !== before) draft.changed = true;
}

/** Where a stream starts before we have listened ourselves: few data points give an optimistic figure. */
function firstReliability({ clean: { stream } }: SettledRecord): number {
  if (stream.dead) return 5;
  if (stream.lastCheckOk === undefined) return 60;
  return stream.lastCheckOk ? 90 : 20;
}
