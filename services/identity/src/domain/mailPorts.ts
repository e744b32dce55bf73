import type { UserId } from '@nolo/kit/ids';
import type { WrittenLanguage } from '@nolo/rules';
import type { RightCode } from './ports.ts';
import type { Asking } from './securityPorts.ts';

/** Stores verified email addresses, which give access to an account if its phone number is lost. */
export interface MailAddresses {
  /** Returns the owner of an address, the address as the owner typed it, and the owner's language. */
  ownerOf(key: string): Promise<{ userId: UserId; email: string; language: WrittenLanguage | undefined } | undefined>;
  /** Replaces the previous address. Uses up the code even if the address belongs to someone else. */
  link(
    code: RightCode,
    email: string,
    asking: Asking,
    now: Date,
  ): Promise<'linked' | 'taken' | 'unproven' | 'code_used'>;
}
