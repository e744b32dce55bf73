import { openEnvelope, sealEnvelope, type Message } from '@nolo/api';
import { type Encryption, isBlank, limits, safeFileName } from '@nolo/rules';
import { failGateway } from '../errors.ts';

/** What is in an envelope, under the names of the edge. */
type Inside = Pick<
  Message,
  'content' | 'fileName' | 'voiceMessageDuration' | 'voiceMessageTranscription' | 'mediaInfo' | 'linkPreview' | 'extra'
>;

/** A message as chat keeps it. */
export interface Kept {
  readonly content: string;
  readonly encryption: string;
  readonly messageType: string;
}

type Sealable = { [key in keyof Inside]?: Inside[key] | undefined };

const messageInvalid = (message: string) => failGateway('invalid', 'message_invalid', message);

const bytesOf = (text: string | null | undefined) => Buffer.byteLength(text ?? '', 'utf8');

/** What clients never meant to say, and what is too long: of everything inside that is text. */
function checkTexts({ content, fileName, voiceMessageTranscription, mediaInfo, linkPreview }: Sealable): void {
  const maxBytes = limits.messageContentBytes;
  if (bytesOf(content) > maxBytes) {
    throw failGateway('too_large', 'message_too_large', 'The message is too long.', { maxBytes });
  }
  if (bytesOf(voiceMessageTranscription) > maxBytes) throw messageInvalid('The transcription is too long.');
  if (bytesOf(mediaInfo) > limits.mediaInfoBytes) throw messageInvalid('The description of the medium is too long.');
  if (bytesOf(linkPreview) > limits.linkPreviewBytes) throw messageInvalid('The link preview is too large.');
  for (const text of [content, fileName, voiceMessageTranscription, mediaInfo, linkPreview]) {
    // Clients and databases that take no NUL, or nothing but characters, may read it one day.
    if (text?.includes('\0') === true || text?.isWellFormed() === false) {
      throw messageInvalid('The message holds characters that are none.');
    }
  }
}

/**
 * The envelope of what a client sent in the clear (decision 37). What is encrypted is sealed already.
 *
 * @throws message_too_large, message_blank, message_invalid.
 */
export function sealContent(
  given: Sealable & { content: string },
  { encryption, messageType }: { encryption: Encryption; messageType: string },
): string {
  const { content, extra, ...beside } = given;
  const said = Object.entries(beside).filter(([, value]) => value !== undefined && value !== null && value !== '');
  if (encryption !== 'none') {
    if (said.length > 0 || extra) throw messageInvalid('What belongs inside of an encrypted message is beside it.');
    return content;
  }
  checkTexts(given);
  if (messageType === 'text' && isBlank(content)) {
    throw failGateway('invalid', 'message_blank', 'The message is empty.');
  }
  return sealEnvelope({ ...(content !== '' && { text: content }), ...Object.fromEntries(said), ...extra });
}

/** The sender's client wrote it, so it may hold anything. */
const shownFileName = (name: string | null): string | null => name && safeFileName(name);

/** What readers are shown of a message: of an encrypted one, and of what the server wrote, the content as it is. */
export function openContent({ content, encryption, messageType }: Kept): Inside {
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

/** The data of a frame that tells of a message: as chat writes it, and as sockets get it. */
export function openFrame<Data extends Kept>(data: Data): Data & Inside {
  return { ...data, ...openContent(data) };
}

/** What an edit leaves of what was said, with what it names: null takes a field away, undefined leaves it. */
export function revisedContent(
  before: Kept,
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
