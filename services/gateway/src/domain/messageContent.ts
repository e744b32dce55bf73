import {
  contentsOfReply,
  isBlank,
  limits,
  messageContentFields,
  openMessageContent,
  openStatusContent,
  sealEnvelope,
  toEnvelopeFields,
  type Encryption,
  type MessageContent,
  type ReplyContent,
  type StoredContent,
} from '@nolo/rules';
import { createGatewayError } from '../errors.ts';
import { checkJsonBounds } from './jsonBounds.ts';

/**
 * Contents of messages at the edge (ADR 39). Clients that seal and open envelopes themselves get them as stored. For
 * simple clients the gateway does it.
 */

type Given = { [Name in keyof MessageContent]?: MessageContent[Name] | undefined };

/** Content of a request: the fields of a simple client, a sealed envelope, or content that only devices open. */
type Body = Given & { readonly envelope?: string | undefined; readonly sealed?: object | undefined };

const messageInvalid = (message: string) => createGatewayError('invalid', 'message_invalid', message);

const bytesOf = (text: string | null | undefined) => Buffer.byteLength(text ?? '', 'utf8');

const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

/** Refuses texts inside that are too long or have invalid characters. */
function checkTexts({ content, fileName, voiceMessageTranscription, mediaInfo, linkPreview }: Given): void {
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

const refuseBlank = (content: string | undefined, messageType: string): void => {
  if (messageType === 'text' && isBlank(content ?? '')) {
    throw createGatewayError('invalid', 'message_blank', 'The message is empty.');
  }
};

/** Refuses fields next to an envelope, which would be stored in the clear or lost. */
function refuseFieldsBeside(given: Given): void {
  if (Object.values(given).some(isGiven)) {
    throw messageInvalid('Fields of a sealed message must be inside its envelope.');
  }
}

/**
 * Checks a plain envelope from a client by the rules for simple clients, without changing it.
 *
 * @throws message_too_large, message_invalid, json_too_complex.
 */
function checkEnvelope(envelope: string): MessageContent {
  if (!envelope.isWellFormed()) throw messageInvalid('The message contains invalid characters.');
  if (envelope.startsWith('{')) {
    checkJsonBounds(Buffer.from(envelope), { depth: limits.jsonDepth, entries: limits.jsonEntries });
  }
  const opened = openMessageContent({ content: envelope, encryption: 'none', messageType: 'text' });
  checkTexts(opened);
  if ((opened.voiceMessageDuration ?? 0) < 0) throw messageInvalid('The duration is invalid.');
  return opened;
}

/**
 * Returns the content to store: the envelope of a client that seals, or one for the fields of a simple client (decision
 * 37). Encrypted content is already sealed. Empty if a device sealed the content: that has a field of its own.
 *
 * @throws message_blank, message_invalid, message_too_large, json_too_complex.
 */
export function sealContent(
  { envelope, sealed, ...given }: Body,
  { encryption, messageType }: { encryption: Encryption; messageType: string },
): string {
  const { content = '', ...beside } = given;
  if (sealed !== undefined) {
    refuseFieldsBeside({ ...given, content: content || envelope });
    return '';
  }
  if (envelope !== undefined) {
    refuseFieldsBeside(given);
    if (encryption === 'none') refuseBlank(checkEnvelope(envelope).content, messageType);
    return envelope;
  }
  if (encryption !== 'none') {
    refuseFieldsBeside(beside);
    return content;
  }
  checkTexts(given);
  refuseBlank(content, messageType);
  return sealEnvelope(toEnvelopeFields(given));
}

/** Message before an edit; read only if the edit depends on it. */
type ReadBefore = () => Promise<StoredContent>;

/**
 * Returns the content to store after an edit. A client that seals sends the whole envelope. For a simple client, merges
 * the edit into the previous content: null removes a field, undefined leaves it.
 *
 * @throws message_blank, message_invalid, message_too_large, json_too_complex.
 */
export async function sealEdit(
  readBefore: ReadBefore,
  edit: {
    content?: string | undefined;
    envelope?: string | undefined;
    sealed?: object | undefined;
    encryption: Encryption;
    linkPreview?: string | null | undefined;
    extra?: MessageContent['extra'] | null;
  },
): Promise<string> {
  const { encryption, content, envelope, sealed, linkPreview, extra } = edit;
  if (sealed !== undefined) {
    refuseFieldsBeside({ content: content || envelope, linkPreview, extra: extra ?? undefined });
    return '';
  }
  if (envelope !== undefined) {
    refuseFieldsBeside({ content, linkPreview, extra: extra ?? undefined });
    if (encryption !== 'none') return envelope;
    const opened = checkEnvelope(envelope);
    // Only a text must not be blank, so the type matters only for blank content.
    if (isBlank(opened.content)) refuseBlank(opened.content, (await readBefore()).messageType);
    return envelope;
  }
  const before = await readBefore();
  const readable = before.encryption === 'none' && encryption === 'none';
  const kept: Given = readable ? openMessageContent(before) : {};
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

/** Opens the contents of an answer in place, for a simple client. */
export function openReply(place: ReplyContent, reply: unknown): void {
  for (const one of contentsOfReply(place, reply)) {
    const isStatus = place === 'status' || place === 'statuses';
    Object.assign(one, isStatus ? openStatusContent(one as StoredContent) : openMessageContent(one as StoredContent));
  }
}

/** Frames with content. */
const frameContents: Readonly<Record<string, ReplyContent>> = {
  new_message: 'message',
  message_updated: 'message',
  status_posted: 'status',
};

/** Returns true if the data of a frame differs between simple clients and those that open envelopes. */
export const hasContent = (type: string): boolean => Object.hasOwn(frameContents, type);

/** Returns the data of a frame with its content opened, for simple clients. */
export function openFrame(type: string, data: unknown): unknown {
  const place = frameContents[type];
  if (place === undefined) return data;
  const opened = { ...(data as object) };
  openReply(place, opened);
  return opened;
}

/**
 * Returns the data of a frame as stored. Chat of 0.3.0 sends the fields of envelopes as null beside it, by which
 * clients would take the content for opened. Remove in 0.5.0.
 */
export function sealedFrame(type: string, data: unknown): unknown {
  if (frameContents[type] !== 'message' || !Object.hasOwn(data as object, 'fileName')) return data;
  const names: readonly string[] = messageContentFields;
  return Object.fromEntries(Object.entries(data as object).filter(([name]) => !names.includes(name)));
}
