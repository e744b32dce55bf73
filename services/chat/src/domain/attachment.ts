import { parseId, type FileId } from '@nolo/kit/ids';
import { fileKindsByMessageType, type Encryption, type FileKind, type MessageType } from '@nolo/rules';
import { createChatError } from '../errors.ts';

/** Location of a message's files. All other client data is in the content. */
export interface Attachment {
  readonly fileUrl: string | null;
  /** Size in bytes, as known to files. */
  readonly fileSize: number | null;
  readonly voiceMessageUrl: string | null;
  /** Picture that previews a video. */
  readonly previewUrl: string | null;
}

export const noAttachment: Attachment = {
  fileUrl: null,
  fileSize: null,
  voiceMessageUrl: null,
  previewUrl: null,
};

/** Input from a caller: empty strings and zeros mean absent. */
export type AttachmentInput =
  | {
      fileUrl?: string | undefined;
      fileSize: number;
      voiceMessageUrl?: string | undefined;
      previewUrl?: string | undefined;
    }
  | undefined;

/** Facts about a file, from the files service. */
export interface AttachedFileFacts {
  readonly id: string;
  readonly kind: FileKind;
  /** Size in bytes. */
  readonly size: number;
}

export const createMessageInvalidError = (message: string) => createChatError('invalid', 'message_invalid', message);

/** Refuses text that cannot be stored: PostgreSQL stores no NUL, and a lone surrogate is invalid in UTF-8. */
export function checkText(text: string, field: string): void {
  if (text.includes('\0') || !text.isWellFormed()) {
    throw createMessageInvalidError(`The ${field} contains invalid characters.`);
  }
}

/** Returns the file at one of our paths, or null. */
function fileIdOfAddress(address: string | null): FileId | null {
  const id = /^\/objects\/([0-9a-fA-F-]{36})$/.exec(address ?? '')?.[1];
  return parseId<FileId>(id) ?? null;
}

/**
 * Restricts addresses to our own files. Every reader fetches media, so a foreign server would learn who reads and when.
 */
function checkAddress(address: string): string | null {
  if (address === '') return null;
  const id = fileIdOfAddress(address);
  if (id === null) throw createMessageInvalidError('The file URL must point to a file uploaded here.');
  return `/objects/${id}`;
}

export function checkAttachment(input: AttachmentInput): Attachment {
  const fileSize = input?.fileSize ?? 0;
  if (!Number.isSafeInteger(fileSize) || fileSize < 0) throw createMessageInvalidError('The file size is invalid.');
  return {
    fileUrl: checkAddress(input?.fileUrl ?? ''),
    fileSize: fileSize || null,
    voiceMessageUrl: checkAddress(input?.voiceMessageUrl ?? ''),
    previewUrl: checkAddress(input?.previewUrl ?? ''),
  };
}

/** Returns the files of a message, the main one first. */
export function fileIdsOf({ fileUrl, voiceMessageUrl, previewUrl }: Attachment): FileId[] {
  const ids = [fileUrl, voiceMessageUrl, previewUrl].map(fileIdOfAddress).filter((id) => id !== null);
  return [...new Set(ids)];
}

/**
 * Checks that a message has the files that its type requires. Text has none, because groups allow text and files
 * separately.
 */
export function checkRequiredFiles(
  messageType: MessageType,
  { fileUrl, voiceMessageUrl, previewUrl }: Attachment,
): void {
  if (messageType === 'text') {
    if (fileUrl ?? voiceMessageUrl ?? previewUrl)
      throw createMessageInvalidError('A text message cannot carry a file.');
  } else if (messageType === 'voice') {
    if (voiceMessageUrl === null) throw createMessageInvalidError('The voice message has no URL.');
  } else if (messageType !== 'system' && fileUrl === null) {
    throw createMessageInvalidError('The file has no URL.');
  }
}

/**
 * Compares a message's files with their actual type and size as far as possible. Files of encrypted content are
 * encrypted, too, so their size says nothing.
 *
 * @throws message_invalid
 */
export function checkAttachedFileFacts(
  message: Attachment & { readonly messageType: MessageType; readonly encryption: Encryption },
  facts: readonly AttachedFileFacts[],
): Pick<Attachment, 'fileSize'> {
  const { messageType, encryption, fileUrl, voiceMessageUrl, previewUrl, fileSize } = message;
  if (encryption !== 'none' || messageType === 'text' || messageType === 'system') return { fileSize };
  const factsOf = (address: string | null) => {
    const id = fileIdOfAddress(address);
    return facts.find((file) => file.id === id);
  };
  const kinds: readonly FileKind[] = fileKindsByMessageType[messageType];
  const main = factsOf(messageType === 'voice' ? voiceMessageUrl : fileUrl);
  if (!main || !kinds.includes(main.kind))
    throw createMessageInvalidError('The file does not match the type of the message.');
  const preview = factsOf(previewUrl);
  if (preview && preview.kind !== 'image') throw createMessageInvalidError('The preview must be an image.');
  return { fileSize: factsOf(fileUrl)?.size ?? fileSize };
}
