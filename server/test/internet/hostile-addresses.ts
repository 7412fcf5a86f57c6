/** One address or two of every network that nothing may be fetched from. */
export const HOSTILE_IPS = `
  127.0.0.1 127.8.8.8 0.0.0.0 0.1.2.3 10.0.0.1 100.64.0.1 100.100.100.200 169.254.169.254 172.16.0.1 172.31.255.254
  192.0.0.1 192.0.2.1 192.88.99.1 192.168.1.1 198.18.0.1 198.51.100.1 203.0.113.1 224.0.0.1 239.255.255.250 240.0.0.1
  255.255.255.255 168.63.129.16 :: ::1 ::7f00:1 ::a9fe:a9fe ::ffff:7f00:1 ::ffff:a9fe:a9fe ::ffff:a83f:8110 ::ffff:0:7f00:1
  64:ff9b::7f00:1 64:ff9b:1::7f00:1 2002:7f00:1:: 2001::1 2001:db8::1 2001:20::1 3fff::1 100::1 100:0:0:1::1 5f00::1 fc00::1
  fd00:ec2::254 fe80::1 fec0::1 ff02::1 4000::1 8000::1`
  .trim()
  .split(/\s+/);

/** Other ways to write some of them, and hosts that no name server may even be asked about. */
const HOSTILE_ADDRESSES = `
  127.1 0177.0.0.1 0x7f.1 0x7f000001 2130706433 017700000001 127.0.0.1. 127。0。0。1 １２７.0.0.1 ①②⑦.0.0.1 127.0.0.1%2e
  0 0x0 2852039166 [::ffff:127.0.0.1] [::127.0.0.1] [64:ff9b::169.254.169.254] [0:0:0:0:0:0:0:1] [fe80::1%25lo]
  [::ffff:168.63.129.16] localhost LOCALHOST localhost. ｌocalhost router a.localhost metadata.google.internal printer.local
  nas.lan a@127.0.0.1 radio.example.net@127.0.0.1 radio.example.net%40127.0.0.1`
  .trim()
  .split(/\s+/)
  .map((host) => `http://${host}:8000/secret`);

const OTHER_SCHEMES = `
  file:///etc/passwd ftp://127.0.0.1:8000/ gopher://127.0.0.1:8000/_x dict://127.0.0.1:8000/ data:text/xml,<rss/>
  blob:http://127.0.0.1:8000/x javascript:fetch("http://127.0.0.1:8000") ws://127.0.0.1:8000/`
  .trim()
  .split(/\s+/);

const literalOf = (ip: string): string => (ip.includes(':') ? `[${ip}]` : ip);

/**
 * Every hostile address as a URL: each IP as it is written, by a name that has it (`is7.example.com` for the seventh) and
 * by one that has a good address beside it (`mixed7.…`), and the other ways to write them.
 */
export const hostileUrls = (port: number): string[] => [
  ...HOSTILE_IPS.map((ip) => `http://${literalOf(ip)}:${port}/secret`),
  ...HOSTILE_IPS.flatMap((_ip, index) => [
    `http://is${index}.example.com:${port}/`,
    `http://mixed${index}.example.com:${port}/`,
  ]),
  ...HOSTILE_ADDRESSES,
  ...OTHER_SCHEMES,
];
