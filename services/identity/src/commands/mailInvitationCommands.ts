import { mailInvitationLimits, toSupportedLanguage } from '@nolo/rules';
import { parseMailAddress } from '../domain/mailAddresses.ts';
import { commandLineActor, CommandRefusedError, type Command, type CommandArguments } from './commandTools.ts';

/** Splits addresses at spaces, commas, semicolons, or line breaks, as in a file. */
function readAddresses({ account = '' }: CommandArguments): string[] {
  const typed = account.split(/[\s,;]+/).filter((word) => word !== '');
  if (typed.length === 0) throw new CommandRefusedError('Name at least one email address.');
  return typed.map((word) => {
    const address = parseMailAddress(word);
    if (address === undefined) throw new CommandRefusedError(`${word} is not an email address.`);
    return address;
  });
}

/** Commands for email invitations to create an account. */
export const mailInvitationCommands: Record<string, Command> = {
  async 'invitations list'({ mailInvitations, clock, print }) {
    let before: { sentAt: Date; id: string } | undefined;
    do {
      const page = { before, limit: mailInvitationLimits.perPage };
      const done = await mailInvitations.list(commandLineActor, page, clock.now());
      const invitations = done.outcome === 'listed' ? done.invitations : [];
      for (const { id, email, sentAt, expiresAt } of invitations) {
        print(`${id}  ${email}  sent ${sentAt.toISOString()}  until ${expiresAt.toISOString()}`);
      }
      if (before === undefined && invitations.length === 0) print('There are no pending invitations.');
      before = invitations.length === page.limit ? invitations.at(-1) : undefined;
    } while (before !== undefined);
  },

  async 'invitations send'({ mailInvitations, clock, print, invitesTo }, words) {
    const emails = readAddresses(words);
    if (invitesTo === undefined) {
      throw new CommandRefusedError('Email is not set up: set SMTP_URL, MAIL_FROM and PUBLIC_URL.');
    }
    for (let at = 0; at < emails.length; at += mailInvitationLimits.atOnce) {
      const some = emails.slice(at, at + mailInvitationLimits.atOnce);
      const invitation = { emails: some, language: toSupportedLanguage(words.language), publicUrl: invitesTo };
      const done = await mailInvitations.invite(commandLineActor, invitation, clock.now());
      if (done.outcome !== 'invited') {
        throw new CommandRefusedError(`At most ${mailInvitationLimits.waiting} invitations can be pending.`);
      }
      for (const { email, expiresAt } of done.invitations)
        print(`${email} is invited until ${expiresAt.toISOString()}.`);
      for (const email of done.known) print(`${email} already has an account.`);
    }
  },

  async 'invitations withdraw'({ mailInvitations, clock, print }, { account = '' }) {
    const isId = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(account);
    const done = isId ? await mailInvitations.withdraw(commandLineActor, account, clock.now()) : undefined;
    if (done?.outcome !== 'withdrawn') throw new CommandRefusedError('This invitation does not exist.');
    print('Invitation withdrawn.');
  },
};
