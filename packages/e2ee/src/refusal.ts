/** Reason for a refusal. Each code has a sentence of its own on the screen. */
export type RefusalCode =
  /** Bytes that are not of the stated form. */
  | 'malformed'
  /** A version that this client does not know. */
  | 'version'
  | 'signature'
  /** A list, header, or box key that does not follow the one before. */
  | 'order'
  /** A list, header, or box key older than one already seen. */
  | 'old'
  /** Two different statements with one number. */
  | 'fork'
  /** A signer whose rights do not cover the statement. */
  | 'rights'
  /** A box, ciphertext, or wrapped key that does not open, or opens to something else than stated. */
  | 'unopened'
  /** A statement about another account, device, or conversation than the expected one. */
  | 'subject';

/** Thrown when a check fails. Nothing of the refused input has taken effect. */
export class Refusal extends Error {
  readonly code: RefusalCode;

  constructor(code: RefusalCode, message: string) {
    super(message);
    this.name = 'Refusal';
    this.code = code;
  }
}
