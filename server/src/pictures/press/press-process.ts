import sharp from 'sharp';
import { pressPicture, type Pressed } from './press-picture.ts';
import { PictureRefused } from './refused.ts';

/** What the process answers to the bytes of a picture. */
export type PressAnswer = { pressed: Pressed } | { refused: string };

// Only what is asked for, and one thing at a time: a decoder that is not needed cannot be led astray.
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

async function answerTo(bytes: Uint8Array): Promise<PressAnswer> {
  try {
    return { pressed: await pressPicture(Buffer.from(bytes)) };
  } catch (error) {
    if (error instanceof PictureRefused) return { refused: error.message };
    throw error;
  }
}

process.on('message', (bytes: Uint8Array) => {
  void answerTo(bytes).then((answer) => process.send?.(answer));
});
process.once('disconnect', () => process.exit(0));
// A terminal and a service manager tell the whole group to stop. Whoever started it finishes what is under way, and ends it.
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => undefined);
// Whoever started it waits for a first word, and so knows a decoder that is not there from a picture that broke it.
process.send?.('ready');
