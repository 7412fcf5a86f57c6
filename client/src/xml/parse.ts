import { decodeText, refuseForbidden, XmlError } from './characters.ts';
import { Scanner } from './scanner.ts';

export interface XmlElement {
  readonly name: string;
  /** In the order they are written. */
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: XmlElement[];
  /** All character data directly inside. */
  text: string;
}

/** Deeper than any menu; a document that goes on for ever ends here. */
const MAX_DEPTH = 50;

const SPACE = /[ \t\r\n]*/y;
const DECLARATION =
  /<\?xml[ \t\r\n]+version=(?:"1\.0"|'1\.0')(?:[ \t\r\n]+encoding=(?:"[\w.-]+"|'[\w.-]+'))?(?:[ \t\r\n]+standalone=(?:"(?:yes|no)"|'(?:yes|no)'))?[ \t\r\n]*\?>/y;
const COMMENT = /<!--(?:[^-]|-[^-])*-->/y;
const CDATA = /<!\[CDATA\[([\s\S]*?)\]\]>/y;
const OPEN = /<([A-Za-z_][\w.:-]*)/y;
const CLOSE = /<\/([A-Za-z_][\w.:-]*)[ \t\r\n]*>/y;
const ATTRIBUTE = /[ \t\r\n]+([A-Za-z_][\w.:-]*)[ \t\r\n]*=[ \t\r\n]*(?:"([^"<]*)"|'([^'<]*)')/y;
const TAG_END = /[ \t\r\n]*(\/?)>/y;
const TEXT = /[^<]+/y;

/** The root of a well-formed document, or an XmlError that says what is not well-formed and where. */
export function parseXml(text: string): XmlElement {
  const scanner = new Scanner(text);
  if (text.startsWith('\ufeff')) scanner.fail('the document starts with a byte order mark');
  scanner.take(DECLARATION);
  skipBetween(scanner);
  const { element, isEmpty } = openTag(scanner);
  if (!isEmpty) readContent(scanner, element);
  skipBetween(scanner);
  if (!scanner.isDone) scanner.fail(`nothing may follow </${element.name}>`);
  return element;
}

function skipBetween(scanner: Scanner): void {
  do scanner.take(SPACE);
  while (scanner.take(COMMENT));
}

/** What stands inside an element, up to and including its end tag. */
function readContent(scanner: Scanner, root: XmlElement): void {
  const open = [root];
  for (let current = open.at(-1); current; current = open.at(-1)) {
    if (scanner.isDone) scanner.fail(`<${current.name}> is not closed`);
    if (readText(scanner, current) || scanner.take(COMMENT)) continue;
    if (scanner.startsWith('</')) {
      const [, name] = scanner.need(CLOSE, `</${current.name}>`);
      if (name !== current.name) scanner.fail(`</${name}> closes <${current.name}>`);
      open.pop();
      continue;
    }
    const { element, isEmpty } = openTag(scanner);
    current.children.push(element);
    if (isEmpty) continue;
    if (open.push(element) > MAX_DEPTH) scanner.fail(`elements stand more than ${MAX_DEPTH} deep`);
  }
}

function readText(scanner: Scanner, current: XmlElement): boolean {
  const cdata = scanner.take(CDATA);
  const raw = cdata ? undefined : scanner.take(TEXT)?.[0];
  if (cdata) located(scanner, () => refuseForbidden(cdata[1] ?? ''));
  if (raw?.includes(']]>')) scanner.fail(']]> stands in text');
  current.text += cdata?.[1] ?? (raw === undefined ? '' : located(scanner, () => decodeText(raw)));
  return cdata !== undefined || raw !== undefined;
}

function openTag(scanner: Scanner): { element: XmlElement; isEmpty: boolean } {
  const [, name = ''] = scanner.need(OPEN, 'a tag');
  const attributes = new Map<string, string>();
  for (let match = scanner.take(ATTRIBUTE); match; match = scanner.take(ATTRIBUTE)) {
    const [, attribute = '', double, single = ''] = match;
    if (attributes.has(attribute)) scanner.fail(`the attribute ${attribute} is given twice`);
    attributes.set(
      attribute,
      located(scanner, () => decodeText(double ?? single)),
    );
  }
  const [, slash] = scanner.need(TAG_END, `an attribute or the end of <${name}>`);
  return { element: { name, attributes, children: [], text: '' }, isEmpty: slash === '/' };
}

/** A problem with characters, told with its place. */
function located<T>(scanner: Scanner, decode: () => T): T {
  try {
    return decode();
  } catch (error) {
    if (error instanceof XmlError) scanner.fail(error.message);
    throw error;
  }
}
