import { browse, type BrowseNeeds } from './browse/browse.ts';
import type { Endpoint } from './http/endpoint.ts';
import { announcement, tune } from './tune/tune.ts';

/** Everything that can be asked of the service, on one screen. */
export const api = (needs: BrowseNeeds): Endpoint[] => [browse(needs), tune(needs), announcement()];
