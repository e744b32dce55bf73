import type { AudioFormat } from '../domain/ports.ts';

export interface FormatFacts {
  /** As the trade calls it. */
  readonly mimeType: string;
  /** How a file of that format is named, from which some servers take the format. */
  readonly fileName: string;
  /** What ffmpeg calls the container: it is told, so that no bytes can make it read anything else. */
  readonly demuxer: string;
}

export const formats: Readonly<Record<AudioFormat, FormatFacts>> = {
  webm: { mimeType: 'audio/webm', fileName: 'voice.webm', demuxer: 'matroska' },
  ogg: { mimeType: 'audio/ogg', fileName: 'voice.ogg', demuxer: 'ogg' },
  mp4: { mimeType: 'audio/mp4', fileName: 'voice.m4a', demuxer: 'mov' },
  mp3: { mimeType: 'audio/mpeg', fileName: 'voice.mp3', demuxer: 'mp3' },
  wav: { mimeType: 'audio/wav', fileName: 'voice.wav', demuxer: 'wav' },
  flac: { mimeType: 'audio/flac', fileName: 'voice.flac', demuxer: 'flac' },
};

/** By the extensions that file-type answers with. */
export const formatOfExtension: Readonly<Partial<Record<string, AudioFormat>>> = {
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
