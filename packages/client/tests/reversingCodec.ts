import type { EnvelopeFields } from '@nolo/rules';
import { plainCodec, whenReady, type ContentCodec } from '../src/content/codec.ts';
import { reverseText } from './reverseText.ts';

function reverseTexts(value: unknown): unknown {
  if (typeof value === 'string') return reverseText(value);
  if (Array.isArray(value)) return value.map(reverseTexts);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, reverseTexts(one)]));
}

/**
 * Creates a codec that reverses every text on its way out and on its way in, so that tests find content that passed
 * around the seam (ADR 39). `late` makes it answer with promises, as a worker would.
 */
export function createReversingCodec({ late = false } = {}): ContentCodec {
  const answer = <T>(value: T): T | Promise<T> =>
    late ? new Promise((resolve) => setTimeout(() => resolve(value), 1)) : value;
  const reverse = (fields: EnvelopeFields) => reverseTexts(fields) as EnvelopeFields;
  return {
    isPlain: false,
    seal: (fields, context) => whenReady(plainCodec.seal(reverse(fields), context), answer),
    open: (content, context) => whenReady(plainCodec.open(content, context), (fields) => answer(reverse(fields))),
    sealBytes: (bytes) => answer(bytes.toReversed()),
    openBytes: (bytes) => answer(bytes.toReversed()),
  };
}
