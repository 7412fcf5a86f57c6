import { tryParseJson } from '../../lib/parse-json.ts';
import { createXmlParser } from '../xml-parser.ts';

/** A button of a Bose SoundTouch: a name, and a location that means something to its source. */
export interface BosePreset {
  /** The button, 1 to 6. */
  number: string | undefined;
  /** `TUNEIN`, `RADIO_BROWSER`, `LOCAL_INTERNET_RADIO`, … */
  source: string;
  location: string;
  name: string;
  /** Of the stream, if the location contains it. */
  address: string;
}

const MAX_PRESETS = 20_000;
const MAX_DEPTH = 64;
const MAX_NAME_LENGTH = 1000;

/** `Presets.xml` of a speaker, or what `GET :8090/presets` gives. Throws with what is wrong with it. */
export function parseBosePresets(text: string): BosePreset[] {
  const presets: BosePreset[] = [];
  const open: string[] = [];
  let number: string | undefined;
  let current: BosePreset | undefined;
  const parser = createXmlParser();
  parser.on('error', (error) => {
    throw new Error(`the list is not well-formed XML: ${error.message}`);
  });
  parser.on('doctype', () => {
    throw new Error('the list has a DOCTYPE, which is refused because of entity attacks: remove it');
  });
  parser.on('opentag', ({ name, attributes }) => {
    open.push(name);
    if (open.length > MAX_DEPTH)
      throw new Error(`the list nests deeper than ${MAX_DEPTH} levels: flatten it`);
    if (name === 'preset') number = attributes['id'];
    if (name !== 'ContentItem') return;
    if (presets.length === MAX_PRESETS) throw new Error(`the list has over ${MAX_PRESETS} presets: split it`);
    const { source = '', location = '' } = attributes;
    current = { number, source, location, name: '', address: addressIn(location) };
    presets.push(current);
  });
  const addText = (more: string): void => {
    if (current && open.at(-1) === 'itemName' && current.name.length < MAX_NAME_LENGTH) current.name += more;
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', () => {
    if (open.pop() === 'ContentItem') current = undefined;
  });
  parser.write(text.replace(/^\ufeff/, '')).close();
  return presets.map((preset) => ({ ...preset, name: preset.name.trim() }));
}

/** The stream inside `…/station?data=<base64 of JSON>`, by which these speakers play an address; else ''. */
function addressIn(location: string): string {
  const data = URL.parse(location, 'http://speaker.invalid')?.searchParams.get('data') ?? '';
  if (data === '' || data.length > MAX_NAME_LENGTH * 8) return '';
  // A plus sign arrives as a space.
  const said = tryParseJson(Buffer.from(data.replaceAll(' ', '+'), 'base64').toString());
  if (typeof said !== 'object' || said === null || !('streamUrl' in said)) return '';
  return typeof said.streamUrl === 'string' ? said.streamUrl : '';
}
