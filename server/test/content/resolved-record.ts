import type { CleanRecord, ResolvedRecord } from '../../src/import/pipeline/clean-record.ts';
import { uuidOf } from '../../src/lib/ids.ts';

export type RecordChanges = Partial<Omit<ResolvedRecord, 'clean'>> & {
  name?: string;
  address?: string;
  resolved?: string;
  clean?: Partial<CleanRecord>;
};

/** A record about nothing in particular, for tests that change one thing at a time. */
export function resolvedRecord(changes: RecordChanges = {}): ResolvedRecord {
  const { name = 'Town FM', address = 'http://a.example.net/1', resolved, clean, ...rest } = changes;
  return {
    source: 'test',
    record: address,
    digest: uuidOf(JSON.stringify(changes)),
    countryId: 1,
    regionId: 10,
    coordinate: null,
    pointSource: null,
    zone: null,
    genreIds: [],
    languageIds: [],
    facts: '{}',
    ...rest,
    clean: {
      name,
      nameKey: name.toLowerCase(),
      languages: [],
      genres: [],
      votes: 0,
      clicks: 0,
      stream: {
        address,
        addressKey: uuidOf(address),
        ...(resolved && { resolved, resolvedKey: uuidOf(resolved) }),
        bitrateKbps: 0,
      },
      ...clean,
    },
  };
}
