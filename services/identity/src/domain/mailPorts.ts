import type { UserId } from '@nolo/kit/ids';
import type { SupportedLanguage } from '@nolo/rules';
import type { VerifiedCode } from './ports.ts';
import type { RequestingSession } from './securityPorts.ts';

/** Stores verified email addresses, which give access to an account if its phone number is lost. */
export interface MailAddressStore {
  /** Returns the owner of an address, the address as the owner typed it, and the owner's language. */
  ownerOf(key: string): Promise<{ userId: UserId; email: string; language: SupportedLanguage | undefined } | undefined>;
  /** Replaces the previous address. Uses up the code even if the address belongs to someone else. */
  link(
    code: VerifiedCode,
    email: string,
    requester: RequestingSession,
    now: Date,
  ): Promise<'linked' | 'taken' | 'unproven' | 'code_used'>;
}
