/** Frames of MP3 as they are at 128 kbit/s and 44.1 kHz: 417 bytes, of silence. */
export function mp3Frames(count: number): Buffer {
  const frame = Buffer.alloc(417);
  frame.set([0xff, 0xfb, 0x90, 0x64]);
  return Buffer.concat(Array.from({ length: count }, () => frame));
}

/** Frames of AAC as ADTS: 24 kHz, two channels, 200 bytes each. */
export function adtsFrames(count: number): Buffer {
  const frame = Buffer.alloc(200);
  frame.set([0xff, 0xf1, 0x58, 0x80, 200 >> 3, ((200 & 7) << 5) | 0x1f, 0xfc]);
  return Buffer.concat(Array.from({ length: count }, () => frame));
}

/** A block of titles, with the byte that says its length. */
export function titleBlock(text: string): Buffer {
  const units = Math.ceil(Buffer.byteLength(text) / 16);
  const bytes = Buffer.alloc(1 + 16 * units);
  bytes[0] = units;
  bytes.write(text, 1);
  return bytes;
}

/** Sound with a block behind each so many bytes: the titles in turn, then empty ones. */
export function withTitles(sound: Buffer, metaint: number, titles: readonly string[]): Buffer {
  const pieces: Buffer[] = [];
  for (let at = 0, turn = 0; at < sound.length; at += metaint, turn += 1) {
    const piece = sound.subarray(at, at + metaint);
    const title = titles[turn];
    pieces.push(piece);
    if (piece.length === metaint)
      pieces.push(titleBlock(title === undefined ? '' : `StreamTitle='${title}';`));
  }
  return Buffer.concat(pieces);
}

/** A tag of ID3v2.4 with these texts. */
export function id3Tag(frames: Readonly<Record<string, string>>): Buffer {
  const body = Buffer.concat(
    Object.entries(frames).map(([name, text]) => {
      const value = Buffer.concat([Buffer.from([3]), Buffer.from(text)]);
      return Buffer.concat([Buffer.from(name), spread(value.length), Buffer.alloc(2), value]);
    }),
  );
  return Buffer.concat([Buffer.from('ID3\x04\0\0', 'latin1'), spread(body.length), body]);
}

/** Seven bits of each byte. */
function spread(length: number): Buffer {
  return Buffer.from([length >> 21, (length >> 14) & 127, (length >> 7) & 127, length & 127]);
}
