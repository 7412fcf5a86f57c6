import { accountEndpoints, type AccountNeeds } from './account/account.ts';
import { browseEndpoints, type BrowseNeeds } from './browse/browse.ts';
import { configEndpoint, type ConfigEndpointNeeds } from './config-endpoint/config-endpoint.ts';
import { describe, type DescribeNeeds } from './describe/describe.ts';
import { recommend } from './describe/recommend.ts';
import type { Endpoint } from './http/endpoint.ts';
import { logos } from './logos/logos.ts';
import { options } from './options/options.ts';
import { presetEndpoints, type PresetNeeds } from './preset/preset.ts';
import { search, type SearchNeeds } from './search/search.ts';
import { announcements } from './tune/announcements.ts';
import { tune, type TuneNeeds } from './tune/tune.ts';

/** Everything that can be asked of the service, on one screen. */
export const api = (
  needs: BrowseNeeds &
    TuneNeeds &
    DescribeNeeds &
    ConfigEndpointNeeds &
    SearchNeeds &
    PresetNeeds &
    AccountNeeds,
): Endpoint[] => [
  ...browseEndpoints(needs),
  tune(needs),
  ...announcements(),
  search(needs),
  ...describe(needs),
  recommend(),
  options(needs),
  configEndpoint(needs),
  logos(),
  ...presetEndpoints(needs),
  ...accountEndpoints(needs),
];
