import type { SignedStatement } from '@nolo/proto/keys';

/** Bytes and signed statements: base64url without padding at the edge, bytes within. */

export const toText = (bytes: Uint8Array | undefined): string => Buffer.from(bytes ?? []).toString('base64url');

/** Returns null for absent and for empty bytes. */
export const toTextOrNull = (bytes: Uint8Array | undefined): string | null => (bytes && toText(bytes)) || null;

export const toBytes = (text: string): Buffer => Buffer.from(text, 'base64url');

export const toSigned = (statement: SignedStatement | undefined): { body: string; signature: string } => ({
  body: toText(statement?.body),
  signature: toText(statement?.signature),
});

export const fromSigned = ({ body, signature }: { body: string; signature: string }): SignedStatement => ({
  body: toBytes(body),
  signature: toBytes(signature),
});
