import { decodeText } from '../decode-text.ts';
import { type Bytes, plainBytes } from '../plain-bytes.ts';
import { MAX_BYTES } from './schedule.ts';

/** A schedule as text, unpacked where it is packed. */
export async function readText(bytes: Bytes): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of plainBytes(bytes, MAX_BYTES)) chunks.push(chunk);
  const whole = Buffer.concat(chunks);
  const [, label] =
    /^\s*<\?xml[^>]*\sencoding=["']([\w.:-]+)["']/.exec(whole.toString('latin1', 0, 200)) ?? [];
  // UTF-8 is what decodeText finds out by itself, and often what there is whatever the declaration says.
  return label === undefined || /^utf-?8$/i.test(label) ? decodeText(whole) : decodeAs(label, whole);
}

function decodeAs(label: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder(label).decode(bytes);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new Error(`the schedule is in the encoding "${label}", which is unknown here: save it as UTF-8`, {
      cause: error,
    });
  }
}
