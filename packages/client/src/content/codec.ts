import type { EnvelopeFields } from '@nolo/rules';
import { openEnvelope, sealEnvelope } from '@nolo/rules';

/** Identifies the owner of an envelope: a message, a status update, or data of this device. */
export interface ContentContext {
  /** `unsent`, `draft`, and `index` are on this device only. */
  readonly kind: 'message' | 'status' | 'unsent' | 'draft' | 'index';
  readonly encryption: string;
  readonly conversationId?: string | undefined;
  readonly senderId?: string | undefined;
}

export type MaybePromise<T> = T | Promise<T>;

/**
 * Seals and opens envelopes. It may work in a worker, and then returns promises. A codec that answers at once costs no
 * turn of the event loop.
 */
export interface ContentCodec {
  /** True if the server can open the envelopes too. Only then content may be sent without one, to an older server. */
  readonly isPlain: boolean;
  seal(fields: EnvelopeFields, context: ContentContext): MaybePromise<string>;
  /** Returns content that is no envelope as text. */
  open(content: string, context: ContentContext): MaybePromise<EnvelopeFields>;
  /** Seals and opens other data for the device, such as an index of words. */
  sealBytes(bytes: Uint8Array, context: ContentContext): MaybePromise<Uint8Array>;
  openBytes(bytes: Uint8Array, context: ContentContext): MaybePromise<Uint8Array>;
}

/** Plain envelopes. */
export const plainCodec: ContentCodec = {
  isPlain: true,
  // Encrypted content that this codec could not open is its own text.
  seal: (fields, { encryption }) => (encryption === 'none' ? sealEnvelope(fields) : (fields.text ?? '')),
  open(content, { encryption }) {
    const opened = encryption === 'none' ? openEnvelope(content) : undefined;
    if (!opened) return { text: content };
    const { v: _, ...fields } = opened;
    return fields;
  },
  sealBytes: (bytes) => bytes,
  openBytes: (bytes) => bytes,
};

/** Takes a value now, or when it is there. */
export function whenReady<T, R>(value: MaybePromise<T>, take: (value: T) => MaybePromise<R>): MaybePromise<R> {
  return value instanceof Promise ? value.then(take) : take(value);
}

/** Collects values now, or when all are there. */
export function allReady<T>(values: readonly MaybePromise<T>[]): MaybePromise<T[]> {
  return values.some((value) => value instanceof Promise) ? Promise.all(values) : (values as T[]);
}
