import type { Air } from './air/air.ts';
import { accountEndpoints, type AccountNeeds } from './account/account.ts';
import { browseEndpoints, type BrowseNeeds } from './browse/browse.ts';
import { albumArt } from './config-endpoint/album-art.ts';
import { configEndpoint, type ConfigEndpointNeeds } from './config-endpoint/config-endpoint.ts';
import { describe, type DescribeNeeds } from './describe/describe.ts';
import { recommend } from './describe/recommend.ts';
import type { Endpoint } from './http/endpoint.ts';
import { SavedItems } from './http/saved-items.ts';
import { logos, type LogosNeeds } from './logos/logos.ts';
import { options } from './options/options.ts';
import { presetEndpoints, type PresetNeeds } from './preset/preset.ts';
import { report, type ReportNeeds } from './report/report.ts';
import { search, type SearchNeeds } from './search/search.ts';
import { announcements } from './tune/announcements.ts';
import { Chooser } from './tune/choice.ts';
import { firstChoice } from './tune/first-choice.ts';
import { tune, type TuneNeeds } from './tune/tune.ts';

/** Everything that can be asked of the service, on one screen. */
export const api = (
  needs: BrowseNeeds &
    TuneNeeds &
    DescribeNeeds &
    ConfigEndpointNeeds &
    SearchNeeds &
    PresetNeeds &
    ReportNeeds &
    LogosNeeds &
    AccountNeeds & { air?: Pick<Air, 'endpoints'> | undefined },
): Endpoint[] => {
  // One for both: a report is about what Tune gives.
  const chooser = new Chooser(needs.streamBoard);
  const tuning = tune({ ...needs, chooser });
  const saved = new SavedItems(needs.db, needs.doors);
  const browsing = browseEndpoints({ ...needs, toHear: tuning.actions.get('pbrowse') });
  return [
    ...browsing.map((endpoint) => saved.marks(endpoint)),
    tuning,
    ...announcements(),
    saved.marks(search(needs)),
    ...describe({ ...needs, saved }),
    recommend(),
    options(needs),
    configEndpoint(needs),
    albumArt(),
    logos(needs),
    ...presetEndpoints(needs).map((endpoint) => saved.changes(endpoint)),
    report(needs, firstChoice(chooser)),
    ...accountEndpoints(needs),
    ...(needs.air?.endpoints ?? []),
  ];
};
