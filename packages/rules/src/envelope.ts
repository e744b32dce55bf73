import { sanitizeFileName } from './files.ts';

/**
 * Envelope of a message: the single string that services store and forward as `content` (decisions 13 and 37). Services
 * know its size and its `encryption`, and nothing about what it contains. Data that only clients read belongs here, so
 * that a new field concerns only the clients that write and read it.
 *
 * Clients of packages/client seal and open envelopes themselves (ADR 39). For simple clients the gateway does it: it
 * exposes the envelope's fields as message fields with the same names, and fields without such a name as `extra`.
 */

/** Fields named in this version. Others are retained unchanged for newer clients. */
interface NamedFields {
  /** Text or caption; absent if empty. */
  readonly text?: string | undefined;
  readonly fileName?: string | undefined;
  /** Seconds. */
  readonly voiceMessageDuration?: number | undefined;
  readonly voiceMessageTranscription?: string | undefined;
  /** Media details from the sender's client, as JSON. */
  readonly mediaInfo?: string | undefined;
  /** Link preview from the sender's client, as JSON. */
  readonly linkPreview?: string | undefined;
  readonly [name: string]: unknown;
}

/** Fields to seal. Excludes the version: with any other version nobody could open the envelope. */
export interface EnvelopeFields extends NamedFields {
  readonly v?: never;
}

export interface Envelope extends NamedFields {
  readonly v: 1;
}

/** Types of the named fields. */
export const envelopeFieldTypes = {
  text: 'string',
  fileName: 'string',
  voiceMessageDuration: 'number',
  voiceMessageTranscription: 'string',
  mediaInfo: 'string',
  linkPreview: 'string',
} as const;

/** Seals the fields. Plain text without other fields is its own envelope, unless it looks like one. */
export function sealEnvelope(fields: EnvelopeFields): string {
  const { text: words = '', ...otherFields } = fields;
  const alone = Object.values(otherFields).every((value) => value === undefined);
  return alone && !words.startsWith('{') ? words : JSON.stringify({ v: 1, ...fields });
}

function isEnvelope(value: Record<string, unknown>): value is Envelope {
  return (
    value['v'] === 1 &&
    Object.entries(envelopeFieldTypes).every(([name, type]) => {
      const field = value[name];
      return field === undefined || typeof field === type;
    })
  );
}

/** Opens an envelope. Returns undefined for plain text and for encrypted content. */
export function openEnvelope(content: string): Envelope | undefined {
  if (!content.startsWith('{')) return undefined;
  try {
    const value = JSON.parse(content) as Record<string, unknown>;
    return isEnvelope(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Contents of an envelope, with the names of the public API. */
export interface MessageContent {
  content: string;
  fileName: string | null;
  voiceMessageDuration: number | null;
  voiceMessageTranscription: string | null;
  mediaInfo: string | null;
  linkPreview: string | null;
  extra?: Record<string, unknown> | undefined;
}

/** Fields of a message that are in its envelope, besides `content`. */
export const messageContentFields = [
  'fileName',
  'voiceMessageDuration',
  'voiceMessageTranscription',
  'mediaInfo',
  'linkPreview',
  'extra',
] as const;

/** Returns the fields for the envelope. Empty ones are left out. */
export function toEnvelopeFields({
  content,
  extra,
  ...otherFields
}: { [Name in keyof MessageContent]?: MessageContent[Name] | undefined }): EnvelopeFields {
  const given = Object.entries(otherFields).filter(
    ([, value]) => value !== undefined && value !== null && value !== '',
  );
  return { ...(content && { text: content }), ...Object.fromEntries(given), ...extra };
}

/** Returns the message fields for the fields of an envelope, which the sender's client may set to anything. */
export function toMessageContent(fields: EnvelopeFields | Envelope): MessageContent {
  const {
    v: _,
    text = '',
    fileName = null,
    voiceMessageDuration = null,
    voiceMessageTranscription = null,
    mediaInfo = null,
    linkPreview = null,
    ...extra
  } = fields;
  return {
    content: text,
    fileName: fileName && sanitizeFileName(fileName),
    voiceMessageDuration,
    voiceMessageTranscription,
    mediaInfo,
    linkPreview,
    ...(Object.keys(extra).length > 0 && { extra }),
  };
}

/** Message as stored by chat. */
export interface StoredContent {
  readonly content: string;
  readonly encryption: string;
  readonly messageType: string;
}

/** Returns true if a message has an envelope that can be opened without keys. The server writes system messages. */
export const isPlainEnvelope = ({ encryption, messageType }: Omit<StoredContent, 'content'>): boolean =>
  encryption === 'none' && messageType !== 'system';

/** Returns the content for readers. Encrypted content and system messages stay as they are. */
export function openMessageContent(stored: StoredContent): MessageContent {
  const { content } = stored;
  return toMessageContent((isPlainEnvelope(stored) ? openEnvelope(content) : undefined) ?? { text: content });
}
