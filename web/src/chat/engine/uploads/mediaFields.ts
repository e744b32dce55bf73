import type { File as StoredFile, Message } from '@nolo/api';
import { fileKindsOf } from '@nolo/rules';
import type { FileKind } from '@nolo/rules';
import { readMediaInfo, writeMediaInfo } from '../mediaInfo.ts';
import type { MediaInfo } from '../mediaInfo.ts';
import type { MediaFields, UnsentMedia } from '../ports.ts';

/** As what the bytes of a medium are uploaded. */
export function kindOf({ messageType, info }: Pick<UnsentMedia, 'messageType' | 'info'>): FileKind {
  if (messageType !== 'file') return messageType;
  return readMediaInfo(info).type?.startsWith('audio/') === true ? 'audio' : 'file';
}

/** What a message says of a file, which is what the server found it to be. */
export function fieldsOfUpload(media: UnsentMedia, file: StoredFile, previewUrl?: string): MediaFields {
  const { messageType, info, duration, transcription } = media;
  const said = readMediaInfo(info);
  const { width, height, thumbhash, moves } = file;
  const measured = width !== null && height !== null ? { width, height } : {};
  const { moves: _, ...still } = said;
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
    // What only looked like a picture or a video here goes as a file.
    messageType: fileKindsOf[messageType].includes(file.kind) ? messageType : 'file',
    mediaInfo,
    fileUrl: file.url,
    fileName: file.name,
    fileSize: file.size,
    ...(previewUrl !== undefined && { previewUrl }),
  };
}

/** The medium that a file is which the server fetched, and how it looks to this browser. */
export function mediaOfFetched(media: UnsentMedia, file: StoredFile, info: MediaInfo): UnsentMedia {
  const { link: _, ...rest } = media;
  return {
    ...rest,
    messageType: file.kind === 'image' || file.kind === 'video' ? file.kind : 'file',
    name: file.name,
    size: file.size,
    info: writeMediaInfo({ type: file.contentType, ...info }),
  };
}

/** The medium of a message that is there, to be sent on; undefined where it carries none. */
export function unsentMediaOf(message: Message): UnsentMedia | undefined {
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
