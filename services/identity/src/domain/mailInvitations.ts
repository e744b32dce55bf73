import { mailInvitationLimits, formatTime, type SupportedLanguage } from '@nolo/rules';
import { identityWords } from './identityWords.ts';
import type { OperatorActor, OperatorRefusal } from './operatorPorts.ts';
import type { OutgoingMail } from './securityPorts.ts';

/** Person invited by email who has no account yet. */
export interface MailInvitation {
  id: string;
  /** Address as typed. */
  email: string;
  /** Time of the latest email. */
  sentAt: Date;
  expiresAt: Date;
}

export interface MailInvitationStore {
  /** Lists valid invitations, latest first. */
  list(
    acting: OperatorActor,
    page: { before: Pick<MailInvitation, 'sentAt' | 'id'> | undefined; limit: number },
    now: Date,
  ): Promise<OperatorRefusal | { outcome: 'listed'; invitations: MailInvitation[] }>;
  /** Sends an email to each address. Repeated invitations replace the previous token, which stops working. */
  invite(
    acting: OperatorActor,
    invitation: { emails: readonly string[]; language: SupportedLanguage; publicUrl: string },
    now: Date,
  ): Promise<
    OperatorRefusal | { outcome: 'too_many' } | { outcome: 'invited'; invitations: MailInvitation[]; known: string[] }
  >;
  /** Withdraws an invitation. An email that is still pending is not sent. */
  withdraw(
    acting: OperatorActor,
    id: string,
    now: Date,
  ): Promise<OperatorRefusal | { outcome: 'none' } | { outcome: 'withdrawn' }>;
  sweep(now: Date): Promise<void>;
}

export const computeMailInvitationExpiry = (now: Date): Date =>
  new Date(now.getTime() + mailInvitationLimits.days * 86_400_000);

/** Builds the invitation email. The token is in the fragment, so no server on the way stores it. */
export function createInvitationMail(
  { publicUrl, token, expiresAt }: { publicUrl: string; token: string; expiresAt: Date },
  language: SupportedLanguage,
): Omit<OutgoingMail, 'to'> {
  const { subject, text } = identityWords[language].invitation;
  const address = publicUrl.replace(/\/+$/, '');
  const until = formatTime({ language, timeZone: undefined }, expiresAt);
  return {
    subject,
    text: `${text({ host: new URL(address).host, link: `${address}/#invitation=${token}`, until })}\n`,
  };
}
