const NAMED: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
]);

/** Where a document stops being XML, and why. */
export class XmlError extends Error {
  override name = 'XmlError';
}

// oxlint-disable-next-line no-control-regex -- these are the characters a document must not hold
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/u;
const REFERENCE = /&(?:([A-Za-z]\w*)|#(\d{1,7})|#x([0-9A-Fa-f]{1,6}));|&/g;

/** The text that character data stands for. Refuses a bare `&`, an entity nobody defined and characters outside XML. */
export function decodeText(raw: string): string {
  refuseForbidden(raw);
  return raw.replace(REFERENCE, (whole, name?: string, decimal?: string, hex?: string) => {
    if (name !== undefined) return NAMED.get(name) ?? refuse(`the entity ${whole} is not defined`);
    if (decimal !== undefined) return fromCode(Number(decimal), whole);
    if (hex !== undefined) return fromCode(Number.parseInt(hex, 16), whole);
    return refuse('a bare & must be written &amp;');
  });
}

export function refuseForbidden(text: string): void {
  const [character] = FORBIDDEN.exec(text) ?? [];
  if (character === undefined) return;
  refuse(
    `the character U+${character.charCodeAt(0).toString(16).padStart(4, '0')} cannot stand in a document`,
  );
}

function fromCode(code: number, whole: string): string {
  const character = code <= 0x10_ff_ff ? String.fromCodePoint(code) : '\0';
  return FORBIDDEN.test(character) ? refuse(`${whole} is no character of XML`) : character;
}

function refuse(message: string): never {
  throw new XmlError(message);
}
