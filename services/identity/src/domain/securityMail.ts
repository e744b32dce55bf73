import { deviceName } from '@nolo/rules';
import type { Mail, NoticeChange, NoticeKind } from './securityPorts.ts';

/** As the app names devices: "Firefox on Linux". */
function deviceWords(userAgent: string): string {
  const { browser, system } = deviceName(userAgent);
  if (browser !== null && system !== null) return `${browser} on ${system}`;
  return browser ?? system ?? 'an unknown device';
}

/** A provider as a person knows it. */
function providerWords(issuer: string | undefined): string {
  return issuer !== undefined && URL.canParse(issuer) ? new URL(issuer).host : 'a sign-in provider';
}

/** Mail passes through many hands, so a number is told by its end alone. */
function numberWords(phoneNumber: string | undefined): string {
  return `the number ending in ${(phoneNumber ?? '').slice(-3)}`;
}

/** A point in time as the mails say it, to the minute. */
const timeWords = (time: Date) => `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;

const dayWords = (time: string | undefined) => timeWords(new Date(time ?? 0));

function words(kind: NoticeKind, change: NoticeChange): { subject: string; happened: string } {
  switch (kind) {
    case 'signed_in':
      return { subject: 'New sign-in to your Nolo account', happened: 'Somebody signed in to your Nolo account' };
    case 'phone_added':
      return {
        subject: 'A phone number was added to your Nolo account',
        happened: `To your Nolo account ${numberWords(change.phoneNumber)} was added`,
      };
    case 'phone_replaced':
      return {
        subject: 'The phone number of your Nolo account was changed',
        happened: `In your Nolo account ${numberWords(change.previousPhoneNumber)} was replaced by ${numberWords(change.phoneNumber)}`,
      };
    case 'phone_removed':
      return {
        subject: 'The phone number of your Nolo account was removed',
        happened: `From your Nolo account ${numberWords(change.previousPhoneNumber)} was removed`,
      };
    case 'provider_added':
      return {
        subject: 'A sign-in was added to your Nolo account',
        happened: `To your Nolo account the sign-in through ${providerWords(change.issuer)} was added`,
      };
    case 'provider_removed':
      return {
        subject: 'A sign-in was removed from your Nolo account',
        happened: `From your Nolo account the sign-in through ${providerWords(change.issuer)} was removed`,
      };
    case 'passkey_added':
      return {
        subject: 'A passkey was added to your Nolo account',
        happened: 'A passkey, with which one signs in to your Nolo account, was added',
      };
    case 'passkey_removed':
      return {
        subject: 'A passkey was removed from your Nolo account',
        happened: 'A passkey of your Nolo account was removed',
      };
    case 'token_created':
      return {
        subject: 'A personal access token was made for your Nolo account',
        happened: 'A personal access token, with which programs use your Nolo account, was made',
      };
    case 'factor_added':
      return {
        subject: 'Two-step verification was switched on for your Nolo account',
        happened: 'Two-step verification of your Nolo account was switched on',
      };
    case 'factor_removed':
      return {
        subject: 'Two-step verification was switched off for your Nolo account',
        happened: 'Two-step verification of your Nolo account was switched off',
      };
    case 'recovery_renewed':
      return {
        subject: 'New recovery codes were made for your Nolo account',
        happened: 'New recovery codes of your Nolo account were made, and the old ones ended,',
      };
    case 'lock_on':
      return {
        subject: 'The registration lock of your Nolo account was switched on',
        happened: 'The registration lock of your Nolo account was switched on',
      };
    case 'lock_off':
      return {
        subject: 'The registration lock of your Nolo account was switched off',
        happened: 'The registration lock of your Nolo account was switched off',
      };
    case 'account_asked':
      return {
        subject: 'Somebody asks for your Nolo account',
        happened: `Somebody with your phone number, but without your second factor, asked for your Nolo account. From ${dayWords(change.opensAt)} on they get it, unless you refuse. It was asked for`,
      };
    case 'account_refused':
      return {
        subject: 'A request for your Nolo account was refused',
        happened: 'The request for your Nolo account without the second factor was refused',
      };
    case 'account_given':
      return {
        subject: 'Your Nolo account was opened without the second factor',
        happened:
          'The waiting time was over and nobody refused, so somebody signed in to your Nolo account with your phone number alone, and two-step verification was switched off,',
      };
    case 'taken_back':
      return {
        subject: 'Your Nolo account was taken back',
        happened: `Your Nolo account was taken back with ${numberWords(change.phoneNumber)}, and all other devices were signed out`,
      };
    case 'undone':
      return {
        subject: 'Changes to your Nolo account were undone',
        happened: 'Changes to your Nolo account were undone, and all other devices were signed out',
      };
  }
}

/** Of these there is nothing to take back: they took something back, or kept somebody out. */
export const settledKinds: readonly NoticeKind[] = ['taken_back', 'undone', 'account_refused', 'lock_on'];

export const isSettled = (kind: NoticeKind): boolean => settledKinds.includes(kind);

/** With these a number left the account, and can come back. */
const released: ReadonlySet<NoticeKind> = new Set(['phone_replaced', 'phone_removed']);

/** What the account's mail address is told of. No link, so that nobody learns to follow one. */
export function securityMail({
  kind,
  change,
  userAgent,
  now,
}: {
  kind: NoticeKind;
  change: NoticeChange;
  userAgent: string;
  now: Date;
}): Omit<Mail, 'to'> {
  const { subject, happened } = words(kind, change);
  const lines = [`${happened} on ${deviceWords(userAgent)} at ${timeWords(now)}.`];
  if (!isSettled(kind) && kind !== 'account_asked') {
    lines.push('If this was you, there is nothing to do.');
    lines.push(
      'If it was not, open Nolo on a device that is signed in and choose “This wasn’t me” in the notice there.',
    );
  }
  if (kind === 'account_asked') {
    lines.push(
      'If this was you and you still have a device that is signed in, your authenticator app or a recovery code, you need not wait.',
    );
    lines.push('If it was not, open Nolo on a device that is signed in and choose “Refuse” in the notice there.');
  }
  if (released.has(kind)) {
    lines.push('For seven days whoever has the old number can also take the account back by signing in with it.');
  }
  return { subject, text: `${lines.join('\n\n')}\n` };
}
