import sharp from 'sharp';
import { PictureRefused } from './kind-of.ts';
import { type ResizedImage, resizeImage } from './resize-image.ts';

/** The process's answer to the bytes of a picture. */
export type ResizeAnswer = { resized: ResizedImage } | { refused: string };

// Only the formats needed, and one picture at a time: a decoder that is disabled cannot be exploited.
sharp.cache(false);
sharp.concurrency(1);
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: [
    'VipsForeignLoadPngBuffer',
    'VipsForeignLoadJpegBuffer',
    'VipsForeignLoadNsgifBuffer',
    'VipsForeignLoadWebpBuffer',
    'VipsForeignLoadHeifBuffer',
    'VipsForeignLoadSvgBuffer',
  ],
});

async function answerTo(bytes: Uint8Array): Promise<ResizeAnswer> {
  try {
    return { resized: await resizeImage(Buffer.from(bytes)) };
  } catch (error) {
    if (error instanceof PictureRefused) return { refused: error.message };
    throw error;
  }
}

process.on('message', (bytes: Uint8Array) => {
  void answerTo(bytes).then((answer) => process.send?.(answer));
});
process.once('disconnect', () => process.exit(0));
// A terminal and a service manager signal the whole process group. The parent finishes what is under way, and ends
// this.
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => undefined);
// The parent waits for this message, so that it can tell a missing decoder from a picture that crashed it.
process.send?.('ready');
