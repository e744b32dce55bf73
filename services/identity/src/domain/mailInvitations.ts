import { mailInvitationLimits, timeFor, type WrittenLanguage } from '@nolo/rules';
import { identityWords } from './identityWords.ts';
import type { Acting, Refused } from './operatorPorts.ts';
import type { Mail } from './securityPorts.ts';

/** Person invited by email who has no account yet. */
export interface MailInvitation {
  id: string;
  /** Address as typed. */
  email: string;
  /** Time of the latest email. */
  sentAt: Date;
  expiresAt: Date;
}

export interface MailInvitations {
  /** Lists valid invitations, latest first. */
  list(
    acting: Acting,
    page: { before: Pick<MailInvitation, 'sentAt' | 'id'> | undefined; limit: number },
    now: Date,
  ): Promise<Refused | { outcome: 'listed'; invitations: MailInvitation[] }>;
  /** Sends an email to each address. Repeated invitations replace the previous token, which stops working. */
  invite(
    acting: Acting,
    deed: { emails: readonly string[]; language: WrittenLanguage; publicUrl: string },
    now: Date,
  ): Promise<
    Refused | { outcome: 'too_many' } | { outcome: 'invited'; invitations: MailInvitation[]; known: string[] }
  >;
  /** Withdraws an invitation. An email that is still pending is not sent. */
  withdraw(acting: Acting, id: string, now: Date): Promise<Refused | { outcome: 'none' } | { outcome: 'withdrawn' }>;
  sweep(now: Date): Promise<void>;
}

export const mailInvitationEnd = (now: Date): Date => new Date(now.getTime() + mailInvitationLimits.days * 86_400_000);

/** Builds the invitation email. The token is in the fragment, so no server on the way stores it. */
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
