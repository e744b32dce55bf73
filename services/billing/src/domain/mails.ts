import { formatDay, isolateDirection, isSaleItem, nameInMail, type ReaderLocale } from '@nolo/rules';
import { billingWords } from './billingWords.ts';
import type { MailOccasion } from './words.ts';

export interface MailDetails {
  readonly about: MailOccasion;
  /** Name of the person who invites or offers the seat. */
  readonly name: string;
  readonly item?: string | undefined;
  /** ISO time. */
  readonly at?: string | undefined;
  readonly receipt?: string | undefined;
  readonly origin: string;
}

/** Returns an email; all of its wording comes from the templates of the languages. */
export function composeMail(
  { about, name, item = '', at, receipt = '', origin }: MailDetails,
  reader: ReaderLocale,
): { subject: string; text: string } {
  const words = billingWords[reader.language];
  const sender = nameInMail(name);
  const { subject, lines } = words.letters[about]({
    what: isSaleItem(item) ? words.bought[item] : words.boughtAnything,
    day: at === undefined ? undefined : formatDay(reader, new Date(at)),
    receipt,
    who: sender === '' ? words.somebody : isolateDirection(sender),
    origin,
  });
  return { subject, text: `${lines.join('\n\n')}\n` };
}
