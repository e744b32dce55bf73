import type { Message } from '@nolo/api';
import { wellFormed } from '@nolo/rules';
import type { MediaInfo } from './mediaInfo.ts';
import { readMediaInfo } from './mediaInfo.ts';
import type { UnsentMedia } from './ports.ts';
import type { PendingMessage } from './timeline.ts';

/** How a medium is shown: a sound is a file that can be listened to. */
export type MediaKind = 'image' | 'video' | 'audio' | 'file' | 'voice';

/** The medium of a message as a screen shows it, whether it is on the server yet or not. */
export interface ShownMedia {
  readonly kind: MediaKind;
  /** Of the message: its client's id where it has one, under which its files are on this device. */
  readonly key: string;
  /** Null while its bytes are on this device alone, and for an address that is none of ours. */
  readonly url: string | null;
  readonly previewUrl: string | null;
  readonly name: string | null;
  readonly size: number | null;
  readonly info: MediaInfo;
  /** Seconds. */
  readonly duration: number | null;
  readonly transcription: string | null;
  /** The site that the server fetches it from, while it does. */
  readonly from: string | null;
}

/** The name of a site, for people to read. */
function siteOf(link: string): string {
  try {
    return new URL(link).host;
  } catch {
    return link;
  }
}

/** Nothing is asked for anywhere else, whatever a message says. */
export function objectPath(url: string | null | undefined): string | null {
  return typeof url === 'string' && /^\/objects\/[0-9a-f-]{36}$/i.test(url) ? url : null;
}

function kindOf(messageType: UnsentMedia['messageType'], info: MediaInfo): MediaKind {
  return messageType === 'file' && info.type?.startsWith('audio/') === true ? 'audio' : messageType;
}

/* A message never changes in place. */
const known = new WeakMap<Message | PendingMessage, ShownMedia>();

function remembered(of: Message | PendingMessage, media: ShownMedia): ShownMedia {
  known.set(of, media);
  return media;
}

export function mediaOfMessage(message: Message): ShownMedia | null {
  const { messageType, fileUrl, fileName, fileSize, voiceMessageUrl, voiceMessageDuration, mediaInfo } = message;
  if (messageType === 'text' || messageType === 'system' || message.deletedAt !== null) return null;
  const made = known.get(message);
  if (made) return made;
  const info = readMediaInfo(mediaInfo);
  return remembered(message, {
    kind: kindOf(messageType, info),
    key: message.clientMessageId ?? message.id,
    url: objectPath(messageType === 'voice' ? voiceMessageUrl : fileUrl),
    previewUrl: objectPath(message.previewUrl),
    name: fileName,
    size: fileSize,
    info,
    duration: voiceMessageDuration ?? info.duration ?? null,
    transcription: message.voiceMessageTranscription,
    from: null,
  });
}

export function mediaOfPending(pending: PendingMessage): ShownMedia | null {
  const media = pending.extras?.media;
  if (!media) return null;
  const made = known.get(pending);
  if (made) return made;
  const { messageType, fields, name, size, duration, transcription = null, link } = media;
  const info = readMediaInfo(media.info);
  return remembered(pending, {
    kind: kindOf(fields?.messageType === 'file' ? 'file' : messageType, info),
    key: pending.clientMessageId,
    url: objectPath(messageType === 'voice' ? fields?.voiceMessageUrl : fields?.fileUrl),
    previewUrl: objectPath(fields?.previewUrl),
    name,
    // Of what is behind a link nobody may know it yet.
    size: link !== undefined && size === 0 ? null : size,
    info,
    duration: duration ?? info.duration ?? null,
    transcription,
    from: link === undefined ? null : siteOf(link),
  });
}

/** The medium of an entry of the list; null for words, notes and what was deleted. */
export function mediaOf(entry: { message: Message | null; pending: PendingMessage | null }): ShownMedia | null {
  if (entry.message) return mediaOfMessage(entry.message);
  return entry.pending && mediaOfPending(entry.pending);
}

/** Where the browser saves it from, under the name that it was sent with. */
export function downloadAddress(url: string, name: string | null): string {
  return `${url}?download=${encodeURIComponent(wellFormed(name ?? 'file'))}`;
}
