import type { StoredFile, Message } from '@nolo/api';
import { fileKindsByMessageType } from '@nolo/rules';
import type { FileKind } from '@nolo/rules';
import { readMediaInfo, writeMediaInfo } from '../chat/mediaInfo.ts';
import type { MediaInfo } from '../chat/mediaInfo.ts';
import type { MediaFields, UnsentMedia } from '../chat/ports.ts';

/** Returns the upload kind for a medium. */
export function toUploadKind({ messageType, info }: Pick<UnsentMedia, 'messageType' | 'info'>): FileKind {
  if (messageType !== 'file') return messageType;
  return readMediaInfo(info).type?.startsWith('audio/') === true ? 'audio' : 'file';
}

/** Returns the media fields of a message, with the type that the server detected. */
export function toMediaFields(media: UnsentMedia, file: StoredFile, previewUrl?: string): MediaFields {
  const { messageType, info, duration, transcription } = media;
  const parsedInfo = readMediaInfo(info);
  const { width, height, thumbhash, moves } = file;
  const measured = width !== null && height !== null ? { width, height } : {};
  const { moves: _, ...still } = parsedInfo;
  const mediaInfo = writeMediaInfo({
    ...(thumbhash !== null && { thumbhash }),
    ...still,
    ...measured,
    ...(moves && { moves }),
  });
  if (messageType === 'voice') {
    return {
      messageType,
      mediaInfo,
      voiceMessageUrl: file.url,
      ...(duration !== undefined && { voiceMessageDuration: duration }),
      ...(transcription !== undefined && { voiceMessageTranscription: transcription }),
    };
  }
  return {
    // A file that turned out to be no picture or video is sent as a file.
    messageType: fileKindsByMessageType[messageType].includes(file.kind) ? messageType : 'file',
    mediaInfo,
    fileUrl: file.url,
    fileName: file.name,
    fileSize: file.size,
    ...(previewUrl !== undefined && { previewUrl }),
  };
}

/** Returns the medium for a file that the server fetched, with its look in this browser. */
export function toFetchedMedia(media: UnsentMedia, file: StoredFile, info: MediaInfo): UnsentMedia {
  const { link: _, ...rest } = media;
  return {
    ...rest,
    messageType: file.kind === 'image' || file.kind === 'video' ? file.kind : 'file',
    name: file.name,
    size: file.size,
    info: writeMediaInfo({ type: file.contentType, ...info }),
  };
}

/** Returns the medium of a stored message for forwarding, or undefined if it has none. */
export function toForwardedMedia(message: Message): UnsentMedia | undefined {
  const { messageType, fileUrl, fileName, fileSize, mediaInfo, previewUrl } = message;
  const { voiceMessageUrl, voiceMessageDuration: duration, voiceMessageTranscription: transcription } = message;
  if (messageType === 'text' || messageType === 'system') return undefined;
  const shared = { messageType, ...(mediaInfo !== null && { mediaInfo }) };
  const fields: MediaFields | null =
    messageType === 'voice'
      ? voiceMessageUrl === null
        ? null
        : {
            ...shared,
            voiceMessageUrl,
            ...(duration !== null && { voiceMessageDuration: duration }),
            ...(transcription !== null && { voiceMessageTranscription: transcription }),
          }
      : fileUrl === null
        ? null
        : {
            ...shared,
            fileUrl,
            ...(fileName !== null && { fileName }),
            ...(fileSize !== null && { fileSize }),
            ...(previewUrl !== null && { previewUrl }),
          };
  if (fields === null) return undefined;
  return {
    messageType,
    name: fileName,
    size: fileSize ?? 0,
    info: mediaInfo,
    ...(duration !== null && { duration }),
    ...(transcription !== null && { transcription }),
    fields,
  };
}
