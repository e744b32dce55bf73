import { mailInvitationLimits, timeFor, type WrittenLanguage } from '@nolo/rules';
import { identityWords } from './identityWords.ts';
import type { Acting, Refused } from './operatorPorts.ts';
import type { Mail } from './securityPorts.ts';

/** Somebody who was invited by mail and has no account yet. */
export interface MailInvitation {
  id: string;
  /** As it was typed. */
  email: string;
  /** When it was sent last. */
  sentAt: Date;
  expiresAt: Date;
}

export interface MailInvitations {
  /** Those that are still good, latest first. */
  list(
    acting: Acting,
    page: { before: Pick<MailInvitation, 'sentAt' | 'id'> | undefined; limit: number },
    now: Date,
  ): Promise<Refused | { outcome: 'listed'; invitations: MailInvitation[] }>;
  /** Writes to each; to those that were invited before anew, whose token before is good no more. */
  invite(
    acting: Acting,
    deed: { emails: readonly string[]; language: WrittenLanguage; publicUrl: string },
    now: Date,
  ): Promise<
    Refused | { outcome: 'too_many' } | { outcome: 'invited'; invitations: MailInvitation[]; known: string[] }
  >;
  /** A mail that waits to be sent is not sent any more. */
  withdraw(acting: Acting, id: string, now: Date): Promise<Refused | { outcome: 'none' } | { outcome: 'withdrawn' }>;
  sweep(now: Date): Promise<void>;
}

export const mailInvitationEnd = (now: Date): Date => new Date(now.getTime() + mailInvitationLimits.days * 86_400_000);

/** What whoever is invited reads. The token is behind the hash, so that no server on the way keeps it. */
export function invitationMail(
  { publicUrl, token, expiresAt }: { publicUrl: string; token: string; expiresAt: Date },
  language: WrittenLanguage,
): Omit<Mail, 'to'> {
  const { subject, text } = identityWords[language].invitation;
  const address = publicUrl.replace(/\/+$/, '');
  const until = timeFor({ language, timeZone: undefined }, expiresAt);
  return {
    subject,
    text: `${text({ host: new URL(address).host, link: `${address}/#invitation=${token}`, until })}\n`,
  };
}
