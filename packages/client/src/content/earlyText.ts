/**
 * Returns the text of a stored message for the first paint, which must not wait for the codec. Plain text is its own
 * envelope, and other envelopes are not drawn that early. Belongs to contentCodec.ts.
 */
export const openEarlyText = (content: string): string => content;
