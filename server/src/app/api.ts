import type { Siblings } from '../net/processes/supervisor-link.ts';
import { type FindLogo, logos, type LogosDeps } from '../protocols/logos/logos.ts';
import { accountEndpoints, type AccountDeps } from '../protocols/radiotime/account/account.ts';
import type { BrowseDeps } from '../protocols/radiotime/browse/actions.ts';
import { browseEndpoints } from '../protocols/radiotime/browse/browse.ts';
import type { Action, Endpoint } from '../protocols/radiotime/call/endpoint.ts';
import { SavedItems } from '../protocols/radiotime/call/saved-items.ts';
import {
  albumArt,
  configEndpoint,
  type ConfigEndpointDeps,
} from '../protocols/radiotime/config/config-endpoint.ts';
import { describe, type DescribeDeps, recommend } from '../protocols/radiotime/describe/describe.ts';
import { options } from '../protocols/radiotime/options/options.ts';
import type { PresetDeps } from '../protocols/radiotime/preset/deps.ts';
import { presetEndpoints } from '../protocols/radiotime/preset/preset.ts';
import type { ReportDeps } from '../protocols/radiotime/report/deps.ts';
import { report } from '../protocols/radiotime/report/report.ts';
import { search, type SearchDeps } from '../protocols/radiotime/search/search.ts';
import type { RelayLinks } from '../core/streams/relay/relay-links.ts';
import { announcements } from '../protocols/radiotime/tune/announcements.ts';
import { Chooser, firstChoice } from '../protocols/radiotime/tune/choice.ts';
import { tune, type TuneDeps } from '../protocols/radiotime/tune/tune.ts';
import type { Broadcasters } from './open-broadcasters.ts';

/** Every endpoint of the RadioTime protocol, on one screen. */
export const api = (
  deps: BrowseDeps &
    TuneDeps &
    DescribeDeps &
    ConfigEndpointDeps &
    SearchDeps &
    PresetDeps &
    ReportDeps &
    LogosDeps &
    AccountDeps & {
      air?: Pick<Broadcasters, 'endpoints'> | undefined;
      relay?: RelayLinks | undefined;
      siblings?: Siblings | undefined;
    },
): Endpoint[] => {
  const { reads = deps.db } = deps;
  // Shared by Tune and Report: a report is about the stream that Tune chose.
  const chooser = new Chooser(deps.streamBoard, deps.relay);
  const tuning = tune({ ...deps, chooser });
  const saved = new SavedItems(deps.db, deps.members, deps.siblings);
  const browsing = browseEndpoints({ ...deps, toHear: tuning.actions.get('pbrowse') });
  return [
    ...browsing.map((endpoint) => saved.marks(endpoint)),
    withTopics(tuning, browsing),
    ...announcements(),
    saved.marks(search({ ...deps, db: reads })),
    ...describe({ ...deps, db: reads, saved }),
    recommend(),
    options(deps),
    configEndpoint(deps),
    albumArt(),
    logoEndpoint(logos({ ...deps, db: reads })),
    ...presetEndpoints(deps).map((endpoint) => saved.changes(endpoint)),
    report(deps, firstChoice(chooser)),
    ...accountEndpoints(deps),
    ...(deps.air?.endpoints ?? []),
  ];
};

/** Tune lists a show's topics as Browse does: Kodi's add-on asks Tune for whatever is about a show. */
function withTopics(tuning: Endpoint, [browsing]: readonly Endpoint[]): Endpoint {
  const topics = browsing?.actions.get('topics');
  return topics ? { ...tuning, actions: new Map([...tuning.actions, ['topics', topics]]) } : tuning;
}

/** Logos are plain files linked by menus, so no partnerId is required. */
export function logoEndpoint(find: FindLogo): Endpoint {
  const logo: Action = ({ askedPath }) => find(askedPath);
  return {
    paths: ['/logos/:file'],
    isForAnyone: true,
    actions: new Map([['', logo]]),
    fallback: () => logo,
  };
}
