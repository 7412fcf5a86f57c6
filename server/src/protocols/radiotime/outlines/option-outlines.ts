import { guideId } from '../../../lib/guide-id.ts';
import type { Words } from '../../../core/i18n/words.ts';
import { linkTo, type Outline } from '../../../formats/opml/document.ts';
import { linkOutline } from '../../../formats/opml/outlines.ts';
import { reportTarget } from './report-outlines.ts';

/** What can be done with a station besides listening; each line is a link. */
export function stationOptions(stationId: number, words: Words): Outline[] {
  const id = guideId('s', stationId);
  return [
    linkOutline(words.text('options.nowPlaying'), linkTo('/Describe.ashx', ['c', 'nowplaying'], ['id', id]), {
      key: 'nowPlaying',
    }),
    linkOutline(
      words.text('menu.similarStations'),
      linkTo('/Browse.ashx', ['id', id], ['detail', 'recommendation']),
      { key: 'recommendations' },
    ),
    linkOutline(words.text('options.streams'), linkTo('/Tune.ashx', ['c', 'ebrowse'], ['id', id]), {
      key: 'streams',
    }),
    linkOutline(
      words.text('menu.schedule'),
      linkTo('/Browse.ashx', ['c', 'schedule'], ['id', id], ['forward', 'true'], ['live', 'true']),
      { key: 'schedule' },
    ),
    reportOption(id, words),
  ];
}

/** The same for a show. */
export function showOptions(showId: number, words: Words): Outline[] {
  const id = guideId('p', showId);
  return [
    linkOutline(words.text('menu.allTopics'), linkTo('/Tune.ashx', ['c', 'pbrowse'], ['id', id]), {
      key: 'topics',
    }),
    linkOutline(words.text('menu.similarShows'), linkTo('/Browse.ashx', ['id', id]), {
      key: 'recommendations',
    }),
    reportOption(id, words),
  ];
}

const reportOption = (id: string, words: Words): Outline =>
  linkOutline(words.text('options.report'), reportTarget(id), { key: 'report' });
