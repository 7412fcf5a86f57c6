import { execFileSync } from 'node:child_process';
import { adtsFrames, id3Tag, mp3Frames, titleBlock, withTitles } from '../stations/sounds.ts';
import { box, eventMessage, transportStream } from '../stations/transport.ts';

/** A moment of real sound, by ffmpeg, with a title in it. */
function sound(codec: string, format: string): Buffer {
  const source = ['-nostdin', '-loglevel', 'error', '-f', 'lavfi', '-i', 'sine=d=0.3', '-c:a', codec];
  const words = [
    '-metadata',
    'title=Jóga',
    '-metadata',
    'artist=Björk',
    '-movflags',
    'frag_keyframe+empty_moov',
  ];
  const flags = format === 'mp4' ? words : words.slice(0, 4);
  return execFileSync('ffmpeg', [...source, ...flags, '-f', format, '-'], { maxBuffer: 2 ** 24 });
}

const text = (...lines: string[]): Buffer => Buffer.from(lines.join('\r\n'));
const SONG = id3Tag({ TIT2: 'Jóga', TPE1: 'Björk' });
const AAC = { type: 0x0f, pid: 0x101, pieces: [adtsFrames(5)] };

/** What stations say, by what reads it. */
export const SAID = {
  head: [
    text('ICY 200 OK', 'icy-name:Town FM', 'icy-metaint:16000', 'content-type:audio/mpeg', '', 'SOUND'),
    text('HTTP/1.1 100 Continue', '', 'HTTP/1.1 302 Found', 'Location: http://a.example/', '', ''),
    text('HTTP/1.0 200 OK', 'Content-Type: audio/aacp', 'Server: Icecast 2.4.4', 'icy-br:64', '', ''),
  ],
  chunked: [text('5', 'Hello', 'a;x=y', '0123456789', '0', '', '')],
  titles: [
    withTitles(mp3Frames(4), 100, ['A - B', "It's", '', 'Björk – Jóga']),
    withTitles(Buffer.alloc(40), 1, ['x'.repeat(300), 'y']),
  ],
  block: [
    titleBlock("StreamTitle='Björk - Jóga';StreamUrl='http://a.example/';").subarray(1),
    titleBlock(`StreamTitle='A - text="B" song_spot="M" x';`).subarray(1),
    Buffer.from("StreamTitle='Bj\xf6rk';", 'latin1'),
  ],
  playlist: [
    text('#EXTM3U', '#EXTINF:-1,One', 'http://a.example/1', '/2'),
    text('[playlist]', 'File1=http://a.example/1', 'Title1=x', 'NumberOfEntries=1'),
    text('<ASX version="3.0"><ENTRY><REF HREF="http://a.example/?a&amp;b"/></ENTRY></ASX>'),
    text(
      '<?xml version="1.0"?><playlist><trackList><track><location>http://a.example/</location></track></trackList></playlist>',
    ),
  ],
  hls: [
    text(
      '#EXTM3U',
      '#EXT-X-STREAM-INF:BANDWIDTH=64000,CODECS="mp4a.40.2"',
      'low.m3u8',
      '#EXT-X-MEDIA:TYPE=AUDIO,URI="a"',
    ),
    text(
      '#EXTM3U',
      '#EXT-X-TARGETDURATION:6',
      '#EXT-X-MEDIA-SEQUENCE:7',
      '#EXT-X-PROGRAM-DATE-TIME:2026-11-15T12:00:00Z',
      '#EXT-X-DATERANGE:ID="a",START-DATE="2026-11-15T12:00:00Z",DURATION=30',
      '#EXTINF:6.0,Jóga',
      'a.ts',
      'b.ts',
    ),
  ],
  segment: [
    Buffer.concat([SONG, adtsFrames(3)]),
    transportStream([AAC, { type: 0x15, pid: 0x102, pieces: [SONG] }]),
    Buffer.concat([box('styp', Buffer.alloc(8)), eventMessage(SONG), eventMessage(SONG, 0)]),
  ],
  sound: [
    mp3Frames(12),
    adtsFrames(12),
    sound('libvorbis', 'ogg'),
    sound('libopus', 'ogg'),
    sound('flac', 'flac'),
    sound('aac', 'mp4'),
    sound('wmav2', 'asf'),
    sound('pcm_s16le', 'wav'),
    sound('libopus', 'webm'),
    transportStream([AAC]),
  ],
  status: [
    text('{"icestats":{"source":[{"listenurl":"http://a/live","title":"A - B","dummy":null}]}}'),
    text(
      '{"now_playing":{"played_at":1700000000,"duration":200,"song":{"title":"T","artist":"A","art":"http://a/"}}}',
    ),
    text('{"songtitle":"A - B"}'),
    text('<html><body>3,1,45,100,3,128,A - B</body></html>'),
  ],
} as const;

const WORDS = String.raw`'; StreamTitle=' : ; ffffffff #EXT-X- #EXTM3U #EXTINF: BANDWIDTH= =" " , = <ref > <
  <location> <track> &amp; &#0; &#x202e; ]]> <!-- <!DOCTYPE File99999= http:// http://[ javascript: file:/// // %00 ID3
  TIT2 OggS OpusTags emsg moov G@ song_spot=" text=" __proto__ constructor -1 1e999 NaN { [ null "title": ,"duration":1e300`;
const LINES = [
  ...WORDS.split(/\s+/),
  'ICY 200',
  'HTTP/1.1 1',
  '\r\n',
  '\r\n\r\n',
  '0\r\n\r\n',
  '\n',
  'icy-metaint: 2147483648',
  'location: ',
  '<ref href="',
  ' - ',
  '\u202e',
  '\u2066',
  '\ufeff',
  '\0',
  '\u001b[2J',
  '\u0003vorbis',
  '9'.repeat(40),
];
const BYTES = ['fffb9064', 'fff15880', 'ff', 'ffffffff', '7f7f7f7f', '00000008', '80', 'c080', 'eda080'];

/** What their readers trip over. */
export const TOKENS: readonly Buffer[] = [
  ...LINES.map((line) => Buffer.from(line)),
  ...BYTES.map((hex) => Buffer.from(hex, 'hex')),
];
