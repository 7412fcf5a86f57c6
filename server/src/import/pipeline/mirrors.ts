import { domainOf } from '../../core/cleaning/clean-homepage.ts';

const QUALITY_WORDS =
  /(?<![a-z])(?:mp3|mpeg|aacp?|aacplus|heaac|ogg|opus|flacm?|m3u8?|pls|asx|hls|high|low|mid|medium|hq|lq|hi|lo|sc|kbps|kbit|adaptive|nsv|chunklist\w*)(?![a-z])/g;
/** The codec behind a name: `WAMCFMAAC`, `JBFMAAC_SC`. */
const QUALITY_ENDING = /(?<=[a-z]{3})(?:aac|mp3)$/;
const FILE = /\.(?:aacp?|mp3|ogg|opus|m3u8?|pls)$/;
const CODEC_PART = /^(?:mp3|aacp?|aacplus|ogg|opus|flac)(?:[-_]?(?:\d+|high|low|mid))?$/;
const BITRATES = /(?<!\d)(?:64|80|96|112|128|160|192|224|256|320|1411)(?:000)?k?(?!\d)/g;
/** Small numbers number stations more often than bits, unless the codec stands beside them. */
const SMALL_BITRATES =
  /(?<!\d)(?:16|24|32|40|48|56)k(?!\w)|(?<=(?:mp3|aacp?|ogg|opus)[-_])(?:16|24|32|40|48|56)(?!\d)|(?<!\d)(?:16|24|32|40|48|56)(?=[-_.]?(?:mp3|aac|ogg|opus))/g;
/** Parts of paths that are the same on thousands of servers. */
const COMMON_PARTS = new Set(
  `stream stream1 stream2 streams live listen radio play audio index playlist master icecast main autodj proxy api
   livestream livestreamredirect direct manifest tunein mount music stereo chunklist channel definst`.split(
    /\s+/,
  ),
);
/** Parameters about the listener and the moment, not the programme. */
const OF_LISTENER =
  /^(?:sid|ver|type|aggkey|token|dist|cb|_\w*|nocache|time|ref|source|listenerid|app_id)=|^\d+,?/i;
const MIN_OWN_PART = 3;
/** Long enough to be the same on two hosts only where it is the same programme, if name and country are the same too. */
const MIN_SHARED_PART = 5;

interface Path {
  /** Host and port. */
  authority: string;
  hasPort: boolean;
  domain: string;
  /** What is left of the path without quality and common words. */
  own: readonly string[];
  all: string;
}

/**
 * Whether two addresses differ only in what a mirror, a codec, a bitrate or encryption changes:
 * `stream-uk1.radioparadise.com/rock-320` and `stream.radioparadise.com/rock-flac`. Asked of records with one name.
 */
export function areMirrors(one: string, other: string): boolean {
  const [a, b] = [pathOf(one), pathOf(other)];
  if (a.hasPort && a.authority === b.authority && a.own.length === 0 && b.own.length === 0) return true;
  const isSamePath = a.own.join('/') === b.own.join('/');
  if (isSamePath && a.own.some((part) => part.length >= MIN_OWN_PART) && a.domain === b.domain) return true;
  if (a.own.some((part) => /\d{4}/.test(part) && b.own.includes(part))) return a.domain === b.domain;
  return isSamePath && a.own.length === 0 && a.all === b.all && machines(a) === machines(b);
}

/** Whether addresses of two hosts end in the same, as those of one programme do on two networks: `/web13_mp3`. */
export function haveSameEnd(one: string, other: string): boolean {
  const last = pathOf(one).own.at(-1) ?? '';
  return last.length >= MIN_SHARED_PART && last === pathOf(other).own.at(-1);
}

const MAX_REMEMBERED = 20_000;
const remembered = new Map<string, Path>();

function pathOf(address: string): Path {
  const known = remembered.get(address);
  if (known) return known;
  const url = URL.parse(address);
  const query =
    url?.search
      .slice(1)
      .split('&')
      .filter((pair) => !OF_LISTENER.test(pair)) ?? [];
  const raw = [...(url?.pathname ?? '').toLowerCase().split('/'), ...query.map((pair) => pair.toLowerCase())];
  const codec = raw.findIndex((part) => CODEC_PART.test(part));
  // What follows the codec says who listens: `/lwt/mp3-192/radio-browser/`.
  const cleaned = raw.map(withoutQuality);
  const isFileNamed =
    FILE.test(raw.at(-1) ?? '') && !COMMON_PARTS.has(cleaned.at(-1) ?? '') && cleaned.at(-1) !== '';
  const named = cleaned.slice(0, codec === -1 || isFileNamed ? undefined : codec).filter(Boolean);
  const parts = named.length > 0 ? named : cleaned.filter(Boolean);
  const path = {
    authority: url?.host ?? address,
    hasPort: (url?.port ?? '') !== '',
    domain: domainOf(url?.hostname ?? address),
    own: parts.filter((part) => !COMMON_PARTS.has(part) && !/^\d$/.test(part)),
    all: parts.join('/'),
  };
  if (remembered.size >= MAX_REMEMBERED) remembered.clear();
  remembered.set(address, path);
  return path;
}

const withoutQuality = (part: string): string =>
  part
    .replaceAll(SMALL_BITRATES, '')
    .replaceAll('.', ' ')
    .replaceAll(QUALITY_WORDS, '')
    .replaceAll(BITRATES, '')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '')
    .replace(QUALITY_ENDING, '');

/** `listener2.tb-group.fm` and `listener1.tb-group.fm` are machines of one service; an IP address is itself. */
const machines = ({ authority }: Path): string =>
  /[a-z](?::\d+)?$/.test(authority) ? authority.replaceAll(/\d+(?=[.-])/g, '') : authority;
