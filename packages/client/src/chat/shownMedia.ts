import type { Message } from '@nolo/api';
import { toWellFormedText } from '@nolo/rules';
import type { MediaInfo } from './mediaInfo.ts';
import { readMediaInfo } from './mediaInfo.ts';
import type { UnsentMedia } from './ports.ts';
import type { PendingMessage } from './timeline.ts';

/** Display kinds of media. A sound is a playable file. */
export type MediaKind = 'image' | 'video' | 'audio' | 'file' | 'voice';

/** Medium of a message for display, whether or not it is on the server. */
export interface ShownMedia {
  readonly kind: MediaKind;
  /** Key of the message: its client id if it has one, under which the device stores its files. */
  readonly key: string;
  /** Null while the bytes are only on this device, and for foreign URLs. */
  readonly url: string | null;
  readonly previewUrl: string | null;
  readonly name: string | null;
  readonly size: number | null;
  readonly info: MediaInfo;
  /** Duration in seconds. */
  readonly duration: number | null;
  readonly transcription: string | null;
  /** Site from which the server is currently fetching it. */
  readonly from: string | null;
}

/** Returns the name of a site for display. */
function siteOf(link: string): string {
  try {
    return new URL(link).host;
  } catch {
    return link;
  }
}

/**
 * Returns the URL if it is one of our objects. Nothing is requested from anywhere else, whatever a message contains.
 */
export function toStoredObjectPath(url: string | null | undefined): string | null {
  return typeof url === 'string' && /^\/objects\/[0-9a-f-]{36}$/i.test(url) ? url : null;
}

function kindOf(messageType: UnsentMedia['messageType'], info: MediaInfo): MediaKind {
  return messageType === 'file' && info.type?.startsWith('audio/') === true ? 'audio' : messageType;
}

/* Caches media by message, because messages are immutable. */
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
    url: toStoredObjectPath(messageType === 'voice' ? voiceMessageUrl : fileUrl),
    previewUrl: toStoredObjectPath(message.previewUrl),
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
    url: toStoredObjectPath(messageType === 'voice' ? fields?.voiceMessageUrl : fields?.fileUrl),
    previewUrl: toStoredObjectPath(fields?.previewUrl),
    name,
    // The size of a linked file may still be unknown.
    size: link !== undefined && size === 0 ? null : size,
    info,
    duration: duration ?? info.duration ?? null,
    transcription,
    from: link === undefined ? null : siteOf(link),
  });
}

/** Returns the medium of a list entry, or null for text, system, and deleted messages. */
export function mediaOf(entry: { message: Message | null; pending: PendingMessage | null }): ShownMedia | null {
  if (entry.message) return mediaOfMessage(entry.message);
  return entry.pending && mediaOfPending(entry.pending);
}

/** Returns the URL to download a file under its original name. */
export function downloadAddress(url: string, name: string | null): string {
  return `${url}?download=${encodeURIComponent(toWellFormedText(name ?? 'file'))}`;
}
