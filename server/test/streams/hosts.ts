/** Who is in the internet of the farm, at addresses that belong to the public internet outside. */
const ADDRESSES = {
  icecast: '93.184.216.40',
  shoutcast: '93.184.216.41',
  hls: '93.184.216.42',
  lists: '93.184.216.43',
  moved: '93.184.216.44',
  secure: '93.184.216.45',
  forged: '93.184.216.46',
  trouble: '93.184.216.47',
  nobody: '93.184.216.48',
} as const;

export type Host = keyof typeof ADDRESSES;

export const nameOf = (host: Host): string => `${host}.radio-haven.net`;
export const ipOf = (host: Host): string => ADDRESSES[host];
export const address = (host: Host, path: string): string => `http://${nameOf(host)}${path}`;

/** As `/etc/hosts` has it: programs that ask the system find everybody there. */
export const HOSTS_FILE = [
  '127.0.0.1 localhost opml.radiotime.com',
  '127.0.0.2 stream.example.net',
  ...Object.entries(ADDRESSES).map(([host, ip]) => `${ip} ${host}.radio-haven.net`),
  '',
].join('\n');

/** For the name server, which is asked by programs that do not read the file. */
export function addressesOf(name: string): string[] {
  const found = Object.entries(ADDRESSES).find(([host]) => `${host}.radio-haven.net` === name);
  return found ? [found[1]] : [];
}
