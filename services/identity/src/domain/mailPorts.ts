import type { UserId } from '@nolo/kit/ids';
import type { WrittenLanguage } from '@nolo/rules';
import type { RightCode } from './ports.ts';
import type { Asking } from './securityPorts.ts';

/** The verified mail address of an account, by which it is entered where the number is lost. */
export interface MailAddresses {
  /** As its owner wrote it, and the language that they chose. */
  ownerOf(key: string): Promise<{ userId: UserId; email: string; language: WrittenLanguage | undefined } | undefined>;
  /** Takes the place of the one before. The code is used up even where the address turns out to be another's. */
  link(
    code: RightCode,
    email: string,
    asking: Asking,
    now: Date,
  ): Promise<'linked' | 'taken' | 'unproven' | 'code_used'>;
}
