/**
 * Text on the wire, the same in XML and JSON:
 * - a tab or a line break (CR LF counts as one) becomes one space, which is what an XML parser would make of it in an
 *   attribute anyway, and keeps one outline on one line for clients that read by lines;
 * - what XML 1.0 cannot carry is removed: the other C0 controls, lone surrogates, U+FFFE and U+FFFF;
 * - everything else stays, C1 controls and bidirectional marks included.
 */
export function cleanMarkupText(text: string): string {
  return UNCLEAN.test(text) ? text.replace(BREAKS, ' ').replace(FORBIDDEN, '') : text;
}

/** Clean text with the five named entities: old radios decode no numeric ones. */
export function escapeXml(text: string): string {
  return XML_CARE.test(text) ? replaceMarkup(cleanMarkupText(text)) : text;
}

/** By hand: per string of a station's line 66 ns, where `replace` with a function takes 99 and five `replaceAll` 93. */
function replaceMarkup(text: string): string {
  let escaped = '';
  let from = 0;
  for (let at = 0; at < text.length; at += 1) {
    const entity = ENTITIES[text.charCodeAt(at)];
    if (entity === undefined) continue;
    escaped += text.slice(from, at) + entity;
    from = at + 1;
  }
  return escaped + text.slice(from);
}

/**
 * Clean text as the inside of a JSON string that may be embedded in a script: `<` and JavaScript line ends are
 * escaped.
 */
export function escapeJson(text: string): string {
  if (!JSON_CARE.test(text)) return text;
  return JSON.stringify(cleanMarkupText(text))
    .slice(1, -1)
    .replace(SCRIPT_CARE, (character) => SCRIPT_ESCAPES[character] ?? character);
}

// Each lists the characters that need no work. Surrogate pairs are flagged needlessly; excluding them costs more.
const UNCLEAN = /[^ -\ud7ff\ue000-\ufffd]/;
const XML_CARE = /[^ !#-%(-;=?-\ud7ff\ue000-\ufffd]/;
const JSON_CARE = /[^ !#-;=-[\]-\u2027\u202a-\ud7ff\ue000-\ufffd]/;

const BREAKS = /\r\n|[\t\n\r]/g;
// With the u flag a pair is one character, and only a lone surrogate is outside these ranges.
const FORBIDDEN = /[^ -\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;
/** By character code; an array, because an index out of its range costs next to nothing. */
const ENTITIES: (string | undefined)[] = [];
ENTITIES[0x22] = '&quot;';
ENTITIES[0x26] = '&amp;';
ENTITIES[0x27] = '&apos;';
ENTITIES[0x3c] = '&lt;';
ENTITIES[0x3e] = '&gt;';
const SCRIPT_CARE = /[<\u2028\u2029]/g;
const SCRIPT_ESCAPES: Record<string, string> = {
  '<': String.raw`\u003c`,
  '\u2028': String.raw`\u2028`,
  '\u2029': String.raw`\u2029`,
};
