import type { AudioFormat } from '../domain/ports.ts';

export interface AudioFormatFacts {
  /** Standard media type. */
  readonly mimeType: string;
  /** File name for this format. Some servers derive the format from it. */
  readonly fileName: string;
  /** Name of the container in ffmpeg. Given explicitly, so that no bytes can make ffmpeg read anything else. */
  readonly demuxer: string;
}

export const audioFormatFacts: Readonly<Record<AudioFormat, AudioFormatFacts>> = {
  webm: { mimeType: 'audio/webm', fileName: 'voice.webm', demuxer: 'matroska' },
  ogg: { mimeType: 'audio/ogg', fileName: 'voice.ogg', demuxer: 'ogg' },
  mp4: { mimeType: 'audio/mp4', fileName: 'voice.m4a', demuxer: 'mov' },
  mp3: { mimeType: 'audio/mpeg', fileName: 'voice.mp3', demuxer: 'mp3' },
  wav: { mimeType: 'audio/wav', fileName: 'voice.wav', demuxer: 'wav' },
  flac: { mimeType: 'audio/flac', fileName: 'voice.flac', demuxer: 'flac' },
};

/** Formats by the extensions that file-type returns. */
export const audioFormatByExtension: Readonly<Partial<Record<string, AudioFormat>>> = {
  webm: 'webm',
  ogg: 'ogg',
  oga: 'ogg',
  opus: 'ogg',
  m4a: 'mp4',
  mp4: 'mp4',
  mp3: 'mp3',
  wav: 'wav',
  flac: 'flac',
};
