import type { StreamFormat } from '../../lib/stream-format.ts';

/** What bytes of sound are. */
export interface Audio {
  format: StreamFormat;
  /** `MPEG 1 Layer 3`, `AAC-LC`, `HE-AAC`, `Vorbis`, `Opus`, `FLAC` … */
  codec: string;
  /** `MPEG`, `ADTS`, `Ogg`, `MPEG-TS`, `MP4` … */
  container: string;
  /** In kbit/s. */
  bitrate?: number;
  sampleRate?: number;
  channels?: number;
}

/** A piece of sound that says itself how long it is. */
export interface Frame {
  readonly codec: string;
  readonly bytes: number;
  readonly samples: number;
  readonly sampleRate: number;
  readonly channels: number;
  /** In kbit/s, where the header says it. */
  readonly bitrate?: number;
}

/** The frame that begins there, by its header alone. */
export type ReadFrame = (bytes: Buffer, at: number) => Frame | undefined;
