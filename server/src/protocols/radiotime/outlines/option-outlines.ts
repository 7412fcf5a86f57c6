import { guideId } from '../../../lib/guide-id.ts';
import type { Words } from '../../../core/i18n/words.ts';
import type { Outline, Target } from '../../../formats/opml/document.ts';
import { linkOutline } from '../../../formats/opml/outlines.ts';
import { reportTarget } from './report-outlines.ts';

const target = (path: string, ...params: Target['params']): Target => ({ path, params });

/** What can be done with a station besides listening; each line is a link. */
export function stationOptions(stationId: number, words: Words): Outline[] {
  const id = guideId('s', stationId);
  return [
    linkOutline(words.text('options.nowPlaying'), target('/Describe.ashx', ['c', 'nowplaying'], ['id', id]), {
      key: 'nowPlaying',
    }),
    linkOutline(
      words.text('menu.similarStations'),
      target('/Browse.ashx', ['id', id], ['detail', 'recommendation']),
      { key: 'recommendations' },
    ),
    linkOutline(words.text('options.streams'), target('/Tune.ashx', ['c', 'ebrowse'], ['id', id]), {
      key: 'streams',
    }),
    linkOutline(
      words.text('menu.schedule'),
      target('/Browse.ashx', ['c', 'schedule'], ['id', id], ['forward', 'true'], ['live', 'true']),
      { key: 'schedule' },
    ),
    reportOption(id, words),
  ];
}

/** The same for a show. */
export function showOptions(showId: number, words: Words): Outline[] {
  const id = guideId('p', showId);
  return [
    linkOutline(words.text('menu.allTopics'), target('/Tune.ashx', ['c', 'pbrowse'], ['id', id]), {
      key: 'topics',
    }),
    linkOutline(words.text('menu.similarShows'), target('/Browse.ashx', ['id', id]), {
      key: 'recommendations',
    }),
    reportOption(id, words),
  ];
}

const reportOption = (id: string, words: Words): Outline =>
  linkOutline(words.text('options.report'), reportTarget(id), { key: 'report' });
