/** A line of robots.txt: what begins like this may be asked for, or may not. */
interface RobotsRule {
  allows: boolean;
  /** With `*` for anything, and `$` at the end for the end. */
  pattern: string;
}

/** More than anybody writes for one program. */
const MAX_RULES = 500;

/**
 * The rules of robots.txt (RFC 9309) for one program, by its name. Those for everybody (`*`) are meant for crawlers, and are not
 * among them.
 */
export function parseRobots(text: string, name: string): RobotsRule[] {
  const rules: RobotsRule[] = [];
  let isOurs = false;
  let isHead = false;
  for (const line of text.split(/\r\n|\r|\n/)) {
    const [, field = '', value = ''] = /^\s*([a-z-]{1,20})\s*:\s*([^#]*)/i.exec(line) ?? [];
    const pattern = value.trim();
    switch (field.toLowerCase()) {
      case 'user-agent': {
        // Several names in a row head one group.
        isOurs = (isHead && isOurs) || pattern.toLowerCase() === name.toLowerCase();
        isHead = true;
        break;
      }
      case 'allow':
      case 'disallow': {
        isHead = false;
        if (isOurs && pattern !== '' && rules.length < MAX_RULES)
          rules.push({ allows: field.toLowerCase() === 'allow', pattern });
        break;
      }
      default:
    }
  }
  return rules;
}

/** By the longest of the rules that fit; what none fits is allowed. */
export function isAllowedBy(rules: readonly RobotsRule[], path: string): boolean {
  let longest: RobotsRule | undefined;
  for (const rule of rules) {
    const { length } = longest?.pattern ?? '';
    const isLonger = rule.pattern.length > length || (rule.pattern.length === length && rule.allows);
    if (isLonger && fits(rule.pattern, path)) longest = rule;
  }
  return longest?.allows ?? true;
}

/** Each part between stars must come after the one before: no pattern makes this slow. */
function fits(pattern: string, path: string): boolean {
  const isWhole = pattern.endsWith('$');
  const parts = (isWhole ? pattern.slice(0, -1) : pattern).split('*');
  const [first = '', ...others] = parts;
  if (!path.startsWith(first)) return false;
  const last = others.pop();
  let at = first.length;
  for (const part of others) {
    const found = path.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  if (last === undefined) return !isWhole || path.length === at;
  return isWhole ? path.length - last.length >= at && path.endsWith(last) : path.includes(last, at);
}
