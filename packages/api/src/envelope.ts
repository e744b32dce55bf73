import * as z from 'zod/mini';

/**
 * What people say in a message, as the one string that services keep and hand on as `content` (decisions 13 and 37): they
 * know its size and its `encryption`, and nothing of what is in it. What only clients read goes in here, so that a new
 * field is known to those who write and read it and to nobody between them.
 *
 * While `encryption` is `none` the edge seals what clients send and shows what is inside as fields of the message, under
 * the same names; what has no such name travels as `extra`. A client that encrypts seals and opens by itself.
 */

const text = z.optional(z.string());

/** What has a name in this version; the rest is kept as it is, for clients that know more. */
const envelope = z.looseObject({
  v: z.literal(1),
  /** The words, or the caption; absent where there are none. */
  text,
  fileName: text,
  /** Seconds. */
  voiceMessageDuration: z.optional(z.number()),
  voiceMessageTranscription: text,
  /** What the sender's client says of the medium, as JSON. */
  mediaInfo: text,
  /** What the sender's client made of a link, as JSON. */
  linkPreview: text,
});
export type Envelope = z.infer<typeof envelope>;
/** With `v` of another kind nobody could open it. */
type Sealable = Partial<Envelope> & { readonly v?: never };

const { v: _v, ...named } = envelope.shape;

/** Fields of an envelope that have no name here. */
export const extraFields = z
  .record(z.string(), z.unknown())
  .check(z.refine((fields) => !Object.keys(fields).some((name) => name === 'v' || Object.hasOwn(named, name))));

/** Words with nothing beside them are their own envelope, unless they look like one. */
export function sealEnvelope(fields: Sealable): string {
  const { text: words = '', ...beside } = fields;
  const alone = Object.values(beside).every((value) => value === undefined);
  return alone && !words.startsWith('{') ? words : JSON.stringify({ v: 1, ...fields });
}

/** Undefined for what is words and nothing else, or encrypted. */
export function openEnvelope(content: string): Envelope | undefined {
  if (!content.startsWith('{')) return undefined;
  try {
    return envelope.safeParse(JSON.parse(content)).data;
  } catch {
    return undefined;
  }
}
