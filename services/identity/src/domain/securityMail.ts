import { deviceName, formatPlace, formatTime, type GeoPlace, type ReaderLocale } from '@nolo/rules';
import { identityWords } from './identityWords.ts';
import { maskMailAddress } from './mailAddresses.ts';
import type { OutgoingMail, SecurityNoticeChange, SecurityNoticeKind } from './securityPorts.ts';
import type { IdentityWords } from './words.ts';

/** Returns the device name as the app shows it: "Firefox on Linux". */
function deviceWords(words: IdentityWords, userAgent: string): string {
  const { browser, system } = deviceName(userAgent);
  if (browser !== null && system !== null) return words.device(browser, system);
  return browser ?? system ?? words.unknownDevice;
}

/** Returns the provider's name for people. */
function providerWords(words: IdentityWords, issuer: string | undefined): string {
  return issuer !== undefined && URL.canParse(issuer) ? new URL(issuer).host : words.unknownProvider;
}

/** Notices without anything to undo: they undid something or kept someone out. */
export const notUndoableKinds: readonly SecurityNoticeKind[] = [
  'taken_back',
  'undone',
  'account_refused',
  'lock_on',
  'account_closed',
  'account_kept',
];

export const isNotUndoable = (kind: SecurityNoticeKind): boolean => notUndoableKinds.includes(kind);

/** Notices of a number that left the account and can return. */
const released: ReadonlySet<SecurityNoticeKind> = new Set(['phone_replaced', 'phone_removed']);

/**
 * Builds the security notice for the account's email address. Contains no link, so people do not learn to follow links.
 */
export function createSecurityMail({
  kind,
  change,
  userAgent,
  place,
  reader,
  now,
}: {
  kind: SecurityNoticeKind;
  change: SecurityNoticeChange;
  userAgent: string;
  place?: GeoPlace | undefined;
  reader: ReaderLocale;
  now: Date;
}): Omit<OutgoingMail, 'to'> {
  const words = identityWords[reader.language];
  const { subject, happened } = words.notices[kind];
  const ending = (phoneNumber = '') => words.numberEnding(phoneNumber.slice(-3));
  const facts = {
    where: words.where(
      deviceWords(words, userAgent),
      formatTime(reader, now),
      place && formatPlace(place, reader.language),
    ),
    number: ending(change.phoneNumber),
    previousNumber: ending(change.previousPhoneNumber),
    provider: providerWords(words, change.issuer),
    mail: maskMailAddress(change.email ?? ''),
    previousMail: maskMailAddress(change.previousEmail ?? ''),
    opensAt: formatTime(reader, new Date(change.opensAt ?? 0)),
    deletesAt: formatTime(reader, new Date(change.deletesAt ?? 0)),
    byOperator: change.byOperator ?? false,
  };
  const lines = [happened(facts)];
  if (!isNotUndoable(kind) && kind !== 'account_asked') lines.push(words.wasYou, words.wasNotYou);
  if (kind === 'account_asked') lines.push(words.askedByYou, words.askedByOthers);
  if (released.has(kind)) lines.push(words.numberCanReturn);
  return { subject, text: `${lines.join('\n\n')}\n` };
}
