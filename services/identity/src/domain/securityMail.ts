import { deviceName, placeName, timeFor, type Place, type Reader } from '@nolo/rules';
import { identityWords } from './identityWords.ts';
import { maskedMail } from './mailAddresses.ts';
import type { Mail, NoticeChange, NoticeKind } from './securityPorts.ts';
import type { IdentityWords } from './words.ts';

/** As the app names devices: "Firefox on Linux". */
function deviceWords(words: IdentityWords, userAgent: string): string {
  const { browser, system } = deviceName(userAgent);
  if (browser !== null && system !== null) return words.device(browser, system);
  return browser ?? system ?? words.unknownDevice;
}

/** A provider as a person knows it. */
function providerWords(words: IdentityWords, issuer: string | undefined): string {
  return issuer !== undefined && URL.canParse(issuer) ? new URL(issuer).host : words.unknownProvider;
}

/** Of these there is nothing to take back: they took something back, or kept somebody out. */
export const settledKinds: readonly NoticeKind[] = [
  'taken_back',
  'undone',
  'account_refused',
  'lock_on',
  'account_closed',
  'account_kept',
];

export const isSettled = (kind: NoticeKind): boolean => settledKinds.includes(kind);

/** With these a number left the account, and can come back. */
const released: ReadonlySet<NoticeKind> = new Set(['phone_replaced', 'phone_removed']);

/** What the account's mail address is told of. No link, so that nobody learns to follow one. */
export function securityMail({
  kind,
  change,
  userAgent,
  place,
  reader,
  now,
}: {
  kind: NoticeKind;
  change: NoticeChange;
  userAgent: string;
  place?: Place | undefined;
  reader: Reader;
  now: Date;
}): Omit<Mail, 'to'> {
  const words = identityWords[reader.language];
  const { subject, happened } = words.notices[kind];
  const ending = (phoneNumber = '') => words.numberEnding(phoneNumber.slice(-3));
  const facts = {
    where: words.where(deviceWords(words, userAgent), timeFor(reader, now), place && placeName(place, reader.language)),
    number: ending(change.phoneNumber),
    previousNumber: ending(change.previousPhoneNumber),
    provider: providerWords(words, change.issuer),
    mail: maskedMail(change.email ?? ''),
    previousMail: maskedMail(change.previousEmail ?? ''),
    opensAt: timeFor(reader, new Date(change.opensAt ?? 0)),
    deletesAt: timeFor(reader, new Date(change.deletesAt ?? 0)),
    byOperator: change.byOperator ?? false,
  };
  const lines = [happened(facts)];
  if (!isSettled(kind) && kind !== 'account_asked') lines.push(words.wasYou, words.wasNotYou);
  if (kind === 'account_asked') lines.push(words.askedByYou, words.askedByOthers);
  if (released.has(kind)) lines.push(words.numberCanReturn);
  return { subject, text: `${lines.join('\n\n')}\n` };
}
