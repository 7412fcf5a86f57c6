import type { ShownSuggestion } from '../../../storage/catalog/streams/suggestions.ts';
import type { SourceItem } from '../../pipeline/import-stations.ts';

/** Stations that listeners suggested and an operator accepted. */
export const SUGGESTED_SOURCE = 'suggested';

export async function* readSuggested(accepted: readonly ShownSuggestion[]): AsyncGenerator<SourceItem> {
  for (const one of accepted)
    yield {
      record: {
        source: SUGGESTED_SOURCE,
        record: one.address_key,
        name: one.name,
        address: one.address,
        homepage: one.homepage ?? undefined,
        city: one.city ?? undefined,
        countryCode: one.country_code ?? undefined,
        languages: [],
        tags: [],
        codec: one.format === 'hls' ? undefined : (one.format ?? undefined),
        bitrateKbps: one.bitrate,
        hls: one.format === 'hls',
        votes: 0,
        clicks: 0,
        lastCheckOk: true,
      },
    };
}
