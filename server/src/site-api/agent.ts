const BROWSERS = ['Edg', 'OPR', 'Firefox', 'Chrome', 'Safari'];
const NAMES: Readonly<Record<string, string>> = { Edg: 'Edge', OPR: 'Opera' };
const SYSTEMS = ['Android', 'iPhone', 'iPad', 'Windows', 'Mac OS X', 'CrOS', 'Linux'];

/** "Firefox on Linux": as much of a User-Agent as its owner needs to know it again. */
export function agentOf(userAgent: string): string {
  const text = userAgent.slice(0, 400);
  const browser = BROWSERS.find((name) => text.includes(`${name}/`));
  const system = SYSTEMS.find((name) => text.includes(name));
  const words = [browser && (NAMES[browser] ?? browser), system].filter((word) => word !== undefined);
  return words.join(' on ') || 'a browser';
}
