import { decodeHTML } from 'entities';
import { splitSong } from '../icy/split-song.ts';
import { type StatusSong, parseStatus, songIn } from './status-song.ts';

/** What stands before the title in `/7.html`: listeners, status, peak, most, unique, bitrate. */
const FIELDS_BEFORE = 6;
const LONGEST_PAGE = 16 * 1024;

/** The song of SHOUTcast's `/stats?json=1`, or of the older `/7.html`. */
export function shoutcastSong(text: string): StatusSong | undefined {
  if (text.trimStart().startsWith('{'))
    return songIn(parseStatus(text), { title: 'songtitle', artist: 'none' });
  return splitSong(decodeHTML(lastField(text.slice(0, LONGEST_PAGE))));
}

/** `<body>12,1,45,100,12,128,Artist - Title, live</body>`: the title may hold commas. */
function lastField(page: string): string {
  const begin = /<body[^<>]{0,200}>/i.exec(page);
  const body = begin ? page.slice(begin.index + begin[0].length) : page;
  const end = body.search(/<\/body/i);
  const fields = (end === -1 ? body : body.slice(0, end)).split(',');
  const isStatus = fields.slice(0, FIELDS_BEFORE).every((field) => /^\s*\d{1,9}\s*$/.test(field));
  return isStatus ? fields.slice(FIELDS_BEFORE).join(',') : '';
}
