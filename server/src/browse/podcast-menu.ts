import type { OpmlDocument } from '../opml/document.ts';
import type { BrowseRequest } from './request.ts';
import { orNothing } from './station-list.ts';

/** The shows of the directory. Nothing imports shows yet, so there are none to list, and the menu says so. */
export const podcastMenu = (_request: BrowseRequest): OpmlDocument => ({
  title: 'Podcasts',
  outlines: orNothing([]),
});
