import * as z from 'zod/mini';

/**
 * Envelope of a message: the single string that services store and forward as `content` (decisions 13 and 37). Services
 * know its size and its `encryption`, and nothing about what it contains. Data that only clients read belongs here, so
 * that a new field concerns only the clients that write and read it.
 *
 * While `encryption` is `none`, the gateway seals what clients send, and exposes the envelope's fields as message
 * fields with the same names. Fields without such a name travel as `extra`. A client that encrypts seals and opens the
 * envelope itself.
 */

const text = z.optional(z.string());

/** Fields named in this version. Others are retained unchanged for newer clients. */
const envelope = z.looseObject({
  v: z.literal(1),
  /** Text or caption; absent if empty. */
  text,
  fileName: text,
  /** Seconds. */
  voiceMessageDuration: z.optional(z.number()),
  voiceMessageTranscription: text,
  /** Media details from the sender's client, as JSON. */
  mediaInfo: text,
  /** Link preview from the sender's client, as JSON. */
  linkPreview: text,
});
export type Envelope = z.infer<typeof envelope>;
/** Excludes `v`: with any other version nobody could open the envelope. */
type Sealable = Partial<Envelope> & { readonly v?: never };

const { v: _v, ...named } = envelope.shape;

/** Envelope fields without a name here. */
export const extraFields = z
  .record(z.string(), z.unknown())
  .check(z.refine((fields) => !Object.keys(fields).some((name) => name === 'v' || Object.hasOwn(named, name))));

/** Seals the fields. Plain text without other fields is its own envelope, unless it looks like one. */
export function sealEnvelope(fields: Sealable): string {
  const { text: words = '', ...otherFields } = fields;
  const alone = Object.values(otherFields).every((value) => value === undefined);
  return alone && !words.startsWith('{') ? words : JSON.stringify({ v: 1, ...fields });
}

/** Opens an envelope. Returns undefined for plain text and for encrypted content. */
export function openEnvelope(content: string): Envelope | undefined {
  if (!content.startsWith('{')) return undefined;
  try {
    return envelope.safeParse(JSON.parse(content)).data;
  } catch {
    return undefined;
  }
}
