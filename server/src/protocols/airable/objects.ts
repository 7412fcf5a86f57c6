import type { FolderItem, Folder } from '../../core/folders/folder.ts';
import type { OrderedStream } from '../../core/streams/relay/relayed.ts';
import type { DirectoryStation, Snapshot } from '../../core/directory/snapshot/snapshot.ts';
import { placeNameIn, stationIn } from '../../core/directory/lookup/in-words.ts';
import type { Words } from '../../core/i18n/words.ts';
import { cleanMarkupText } from '../../formats/opml/characters.ts';
import { radioId } from './ids.ts';

/** What a JSON value of this service is: a thing with an id of three words, a title and where to ask for it. */
interface Thing {
  id: readonly [service: string, kind: string, name: string];
  title: string;
  url: string;
}

export const RADIOS = '/frontiersmart/radios';
const RADIO = '/frontiersmart/radio';
const SERVICE = 'frontiersmart';

/** Displays have two lines of some twenty characters, and scroll. */
const MAX_TITLE = 100;
const titleOf = (text: string): string =>
  Array.from(
    cleanMarkupText(text)
      .replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ')
      .trim(),
  )
    .slice(0, MAX_TITLE)
    .join('');

/** Firmware looks for these two services by their ids. */
export const indexOf = (origin: string, words: Words): object => ({
  id: ['airable', 'directory', 'index'],
  title: titleOf(words.text('browse.index')),
  url: `${origin}/`,
  content: {
    entries: [
      { id: [SERVICE, 'service', 'radio'], title: 'Radio', url: origin + RADIOS },
      {
        id: [SERVICE, 'service', 'feed'],
        title: titleOf(words.text('browse.podcasts')),
        url: `${origin}/frontiersmart/feeds`,
      },
    ],
  },
});

interface DirectoryPage {
  folder: Folder;
  /** Where its next page is; undefined on the last. */
  next: string | undefined;
  words: Words;
}

/** A menu. One that is longer than a page ends with a line that leads on. */
export function directoryOf(origin: string, path: string, { folder, next, words }: DirectoryPage): object {
  const lines = folder.items.flatMap((item) => entryOf(origin, item) ?? []);
  const more: Thing[] =
    next === undefined
      ? []
      : [
          {
            id: [SERVICE, 'directory', `${folder.id}-more`],
            title: titleOf(words.text('browse.moreFrom', { name: folder.title })),
            url: origin + next,
          },
        ];
  return {
    id: [SERVICE, 'directory', folder.id],
    title: titleOf(folder.title),
    url: origin + path,
    content: { entries: [...lines, ...more] },
  };
}

/** Nothing public tells how this service writes shows and saved addresses. */
function entryOf(origin: string, item: FolderItem): Thing | undefined {
  if (item.kind === 'folder' || item.kind === 'search')
    return {
      id: [SERVICE, 'directory', item.id],
      title: titleOf(item.title),
      url: `${origin}${RADIOS}/${item.id}`,
    };
  return item.kind === 'station' ? radioEntry(origin, item.station) : undefined;
}

function radioEntry(
  origin: string,
  { id, name }: Pick<DirectoryStation, 'id' | 'name'>,
  number = radioId(id),
): Thing {
  return {
    id: [SERVICE, 'radio', number],
    title: titleOf(name) || number,
    url: `${origin}${RADIO}/${number}`,
  };
}

/**
 * A station with all that a radio needs to show and play it, under the id it was asked for by: what the radio stored stays
 * right. Language and place are there even where nobody knows them.
 */
export function radioOf(
  origin: string,
  station: DirectoryStation,
  {
    snapshot,
    words,
    order,
    asked,
  }: { snapshot: Snapshot; words: Words; order: readonly OrderedStream[]; asked: string },
): object {
  const { description, slogan, languageName, languageIds, regionId } = stationIn(snapshot, station, words);
  const language = snapshot.languageById.get(languageIds[0] ?? Number.NaN);
  const region = snapshot.regionById.get(regionId ?? Number.NaN);
  const entry = radioEntry(origin, station, asked);
  return {
    ...entry,
    description: titleOf(description ?? ''),
    slogan: titleOf(slogan ?? ''),
    language: {
      id: [SERVICE, 'language', String(language?.id ?? 0)],
      title: titleOf(languageName ?? ''),
      iso: language?.code ?? '',
    },
    place: {
      id: [SERVICE, 'place', String(region?.id ?? 0)],
      title: titleOf((region && placeNameIn(region, words)) ?? ''),
      type: region?.kind ?? 'root',
    },
    // Every station has a logo, if only its initials.
    images: [{ url: `${origin}/logos/s${station.id}q.png`, size: [300, 300], type: 'cover' }],
    streams: order.map((ordered, index) => ({
      id: [SERVICE, 'stream', String(index + 1)],
      title: String(ordered.stream.bitrate || ''),
      url: `${entry.url}/play/${index + 1}`,
      codec: codecOf(ordered),
      reliability: ordered.stream.reliability / 100,
    })),
  };
}

const codecOf = ({ stream: { format, bitrate }, isConverted }: OrderedStream): object => ({
  name: isConverted === true ? 'mp3' : (format ?? 'mp3'),
  bitrate,
});

/** What the address of a stream answers: where to listen, in an answer of status 200. */
export const redirectOf = (ordered: OrderedStream, number: number, url: string, radio: object): object => ({
  id: [SERVICE, 'redirect', String(number)],
  url,
  codec: codecOf(ordered),
  content: radio,
});
