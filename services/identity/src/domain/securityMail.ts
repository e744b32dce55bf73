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

const settled: ReadonlySet<NoticeKind> = new Set(['taken_back', 'undone']);
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
  const when = `${now.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  const lines = [`${happened} on ${deviceWords(userAgent)} at ${when}.`];
  if (!settled.has(kind)) {
    lines.push('If this was you, there is nothing to do.');
    lines.push(
      'If it was not, open Nolo on a device that is signed in and choose “This wasn’t me” in the notice there.',
    );
  }
  if (released.has(kind)) {
    lines.push('For seven days whoever has the old number can also take the account back by signing in with it.');
  }
  return { subject, text: `${lines.join('\n\n')}\n` };
}
