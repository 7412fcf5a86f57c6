/** An id of a station in another directory, and which directory that is. */
export interface ForeignId {
  /** As in the table of aliases: `tunein`, `radio-browser`. */
  scheme: string;
  id: string;
}

/** The directory whose ids are on most radios' buttons: RadioTime, later TuneIn. */
const TUNEIN = 'tunein';
const RADIO_BROWSER_IDS = 'radio-browser';

const STATION = 's\\d{1,9}';
const UUID = '[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}';
/** Longer text is an address with no id in a known place. */
const MAX_LENGTH = 2048;

/** Where the ids stand: the whole text, a name for programs, or a known place in an address. */
const FORMS: readonly [scheme: string, form: RegExp][] = [
  [
    TUNEIN,
    new RegExp(`^(?:tunein:(?:station:)?|x-sonosapi-(?:stream|r:stream):)?(${STATION})(?:\\?|$)`, 'i'),
  ],
  [TUNEIN, new RegExp(`/Tune\\.ashx/?\\?(?:[^#]*&)?id=(${STATION})(?:[&#]|$)`, 'i')],
  [TUNEIN, new RegExp(`/v\\d/playback/station/(${STATION})(?:[/?#]|$)`, 'i')],
  [
    TUNEIN,
    new RegExp(`^(?:https?://)?(?:[a-z]+\\.)?tunein\\.com/(?:[^?#]*[-/])?(${STATION})/?(?:[?#]|$)`, 'i'),
  ],
  [RADIO_BROWSER_IDS, new RegExp(`^(?:radio-?browser:(?:station:)?)?(${UUID})$`, 'i')],
  [RADIO_BROWSER_IDS, new RegExp(`/(?:stations/byuuid|url)/(${UUID})(?:[/?#]|$)`, 'i')],
];

/**
 * The id in what a list says: `s24896`, `tunein:station:s24896`, an address such as
 * `http://opml.radiotime.com/Tune.ashx?id=s24896` or `/v1/playback/station/s24896`, a UUID of radio-browser. Undefined
 * for anything else, such as the address of a stream.
 */
export function parseForeignId(text: string): ForeignId | undefined {
  const given = text.trim();
  if (given === '' || given.length > MAX_LENGTH) return undefined;
  for (const [scheme, form] of FORMS) {
    const [, id] = form.exec(given) ?? [];
    if (id !== undefined) return { scheme, id: scheme === TUNEIN ? id.toLowerCase() : dashed(id) };
  }
  return undefined;
}

/** As aliases have it: some devices leave the dashes out. */
function dashed(uuid: string): string {
  const hex = uuid.toLowerCase().replaceAll('-', '');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
