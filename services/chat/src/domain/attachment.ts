import { parseId, type FileId } from '@nolo/kit/ids';
import { fileKindsOf, type Encryption, type FileKind, type MessageType } from '@nolo/rules';
import { failChat } from '../errors.ts';

/** Where a message's files lie. What clients say of them is in the content. */
export interface Attachment {
  readonly fileUrl: string | null;
  /** Bytes, as files knows them. */
  readonly fileSize: number | null;
  readonly voiceMessageUrl: string | null;
  /** A still picture of a video. */
  readonly previewUrl: string | null;
}

export const noAttachment: Attachment = {
  fileUrl: null,
  fileSize: null,
  voiceMessageUrl: null,
  previewUrl: null,
};

/** What a caller may say: empty strings and zeros stand for what is absent. */
export type AttachmentInput =
  | {
      fileUrl?: string | undefined;
      fileSize: number;
      voiceMessageUrl?: string | undefined;
      previewUrl?: string | undefined;
    }
  | undefined;

/** What files knows of a file. */
export interface FileFacts {
  readonly id: string;
  readonly kind: FileKind;
  /** Bytes. */
  readonly size: number;
}

export const messageInvalid = (message: string) => failChat('invalid', 'message_invalid', message);

/** PostgreSQL stores no NUL, and a lone surrogate is no character in UTF-8. */
export function checkText(text: string, field: string): void {
  if (text.includes('\0') || !text.isWellFormed()) {
    throw messageInvalid(`The ${field} holds characters that cannot be stored.`);
  }
}

/** The file at an address of ours, or null. */
export function fileAt(address: string | null): FileId | null {
  const id = /^\/objects\/([0-9a-fA-F-]{36})$/.exec(address ?? '')?.[1];
  return parseId<FileId>(id) ?? null;
}

/** Media are fetched by every reader, so an address elsewhere would tell its owner who reads and when. */
function checkAddress(address: string): string | null {
  if (address === '') return null;
  const id = fileAt(address);
  if (id === null) throw messageInvalid('The address of the file is not one of ours.');
  return `/objects/${id}`;
}

export function checkAttachment(input: AttachmentInput): Attachment {
  const fileSize = input?.fileSize ?? 0;
  if (!Number.isSafeInteger(fileSize) || fileSize < 0) throw messageInvalid('The size of the file is wrong.');
  return {
    fileUrl: checkAddress(input?.fileUrl ?? ''),
    fileSize: fileSize || null,
    voiceMessageUrl: checkAddress(input?.voiceMessageUrl ?? ''),
    previewUrl: checkAddress(input?.previewUrl ?? ''),
  };
}

/** The files of a message, the one that it is about first. */
export function fileIdsOf({ fileUrl, voiceMessageUrl, previewUrl }: Attachment): FileId[] {
  const ids = [fileUrl, voiceMessageUrl, previewUrl].map(fileAt).filter((id) => id !== null);
  return [...new Set(ids)];
}

/** What a type promises to carry it carries, and text carries nothing: groups let people send the one or the other. */
export function checkCarries(messageType: MessageType, { fileUrl, voiceMessageUrl, previewUrl }: Attachment): void {
  if (messageType === 'text') {
    if (fileUrl ?? voiceMessageUrl ?? previewUrl) throw messageInvalid('A text carries no file.');
  } else if (messageType === 'voice') {
    if (voiceMessageUrl === null) throw messageInvalid('The voice message has no address.');
  } else if (messageType !== 'system' && fileUrl === null) {
    throw messageInvalid('The file has no address.');
  }
}

/**
 * Holds what is said of a message's files against what they are, while that can be told: a picture is one, and the size
 * is the one that it has. Where content is encrypted, so is the file, and its size says nothing.
 *
 * @throws message_invalid
 */
export function checkFacts(
  message: Attachment & { readonly messageType: MessageType; readonly encryption: Encryption },
  facts: readonly FileFacts[],
): Pick<Attachment, 'fileSize'> {
  const { messageType, encryption, fileUrl, voiceMessageUrl, previewUrl, fileSize } = message;
  if (encryption !== 'none' || messageType === 'text' || messageType === 'system') return { fileSize };
  const factsOf = (address: string | null) => {
    const id = fileAt(address);
    return facts.find((file) => file.id === id);
  };
  const kinds: readonly FileKind[] = fileKindsOf[messageType];
  const main = factsOf(messageType === 'voice' ? voiceMessageUrl : fileUrl);
  if (!main || !kinds.includes(main.kind)) throw messageInvalid('The file is not what the message says that it is.');
  const preview = factsOf(previewUrl);
  if (preview && preview.kind !== 'image') throw messageInvalid('The still picture is no picture.');
  return { fileSize: factsOf(fileUrl)?.size ?? fileSize };
}
