import { openEnvelope, sealEnvelope, type Message } from '@nolo/api';
import { type Encryption, isBlank, limits, sanitizeFileName } from '@nolo/rules';
import { createGatewayError } from '../errors.ts';

/** Contents of an envelope, with the names of the public API. */
type Inside = Pick<
  Message,
  'content' | 'fileName' | 'voiceMessageDuration' | 'voiceMessageTranscription' | 'mediaInfo' | 'linkPreview' | 'extra'
>;

/** Message as stored by chat. */
export interface StoredContent {
  readonly content: string;
  readonly encryption: string;
  readonly messageType: string;
}

type Sealable = { [key in keyof Inside]?: Inside[key] | undefined };

const messageInvalid = (message: string) => createGatewayError('invalid', 'message_invalid', message);

const bytesOf = (text: string | null | undefined) => Buffer.byteLength(text ?? '', 'utf8');

/** Refuses texts inside that are too long or have invalid characters. */
function checkTexts({ content, fileName, voiceMessageTranscription, mediaInfo, linkPreview }: Sealable): void {
  const maxBytes = limits.messageContentBytes;
  if (bytesOf(content) > maxBytes) {
    throw createGatewayError('too_large', 'message_too_large', 'The message is too long.', { maxBytes });
  }
  if (bytesOf(voiceMessageTranscription) > maxBytes) throw messageInvalid('The transcription is too long.');
  if (bytesOf(mediaInfo) > limits.mediaInfoBytes) throw messageInvalid('The media description is too long.');
  if (bytesOf(linkPreview) > limits.linkPreviewBytes) throw messageInvalid('The link preview is too large.');
  for (const text of [content, fileName, voiceMessageTranscription, mediaInfo, linkPreview]) {
    // Clients and databases may refuse NUL or invalid characters.
    if (text?.includes('\0') === true || text?.isWellFormed() === false) {
      throw messageInvalid('The message contains invalid characters.');
    }
  }
}

/**
 * Seals plain content from a client in an envelope (decision 37). Encrypted content is already sealed.
 *
 * @throws message_too_large, message_blank, message_invalid.
 */
export function sealContent(
  given: Sealable & { content: string },
  { encryption, messageType }: { encryption: Encryption; messageType: string },
): string {
  const { content, extra, ...otherFields } = given;
  const givenFields = Object.entries(otherFields).filter(
    ([, value]) => value !== undefined && value !== null && value !== '',
  );
  if (encryption !== 'none') {
    if (givenFields.length > 0 || extra)
      throw messageInvalid('Fields of an encrypted message must be inside its content.');
    return content;
  }
  checkTexts(given);
  if (messageType === 'text' && isBlank(content)) {
    throw createGatewayError('invalid', 'message_blank', 'The message is empty.');
  }
  return sealEnvelope({ ...(content !== '' && { text: content }), ...Object.fromEntries(givenFields), ...extra });
}

/** Sanitizes a file name, which the sender's client may set to anything. */
const shownFileName = (name: string | null): string | null => name && sanitizeFileName(name);

/** Returns the content for readers. Encrypted content and system messages stay as they are. */
export function openContent({ content, encryption, messageType }: StoredContent): Inside {
  const opened = encryption === 'none' && messageType !== 'system' ? openEnvelope(content) : undefined;
  const {
    v: _,
    text = '',
    fileName = null,
    voiceMessageDuration = null,
    voiceMessageTranscription = null,
    mediaInfo = null,
    linkPreview = null,
    ...extra
  } = opened ?? { v: 1, text: content };
  return {
    content: text,
    fileName: shownFileName(fileName),
    voiceMessageDuration,
    voiceMessageTranscription,
    mediaInfo,
    linkPreview,
    ...(Object.keys(extra).length > 0 && { extra }),
  };
}

/** Converts the data of a message frame from chat's format to the one for sockets. */
export function openFrameContent<Data extends StoredContent>(data: Data): Data & Inside {
  return { ...data, ...openContent(data) };
}

/** Merges an edit into the previous content: null removes a field, undefined leaves it. */
export function mergeContentEdit(
  before: StoredContent,
  edit: {
    content: string;
    encryption: Encryption;
    linkPreview?: string | null | undefined;
    extra?: Message['extra'] | null;
  },
): string {
  const { encryption, content, linkPreview, extra } = edit;
  const readable = before.encryption === 'none' && encryption === 'none';
  const kept: Sealable = readable ? openContent(before) : {};
  return sealContent(
    {
      ...kept,
      content,
      linkPreview: linkPreview === undefined ? kept.linkPreview : linkPreview,
      extra: extra === undefined ? kept.extra : (extra ?? undefined),
    },
    { encryption, messageType: before.messageType },
  );
}
