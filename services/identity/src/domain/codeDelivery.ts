import { isAppError } from '@nolo/kit/errors';
import { limits, type WrittenLanguage } from '@nolo/rules';
import { identityWords } from './identityWords.ts';
import type { MailAddresses } from './mailPorts.ts';
import type { Mail } from './securityPorts.ts';
import type { SmsSender } from './smsSender.ts';
import { mailUnavailable, type Deliver } from './verification.ts';

const minutes = limits.verificationCodeValidSeconds / 60;

/** @param languageChosen by the account behind a number; asked of every number alike, only what the phone is sent goes by it */
export function bySms(
  sms: SmsSender,
  languageChosen: (phoneNumber: string) => Promise<WrittenLanguage | undefined>,
): Deliver {
  return async (phoneNumber, code, { language }) => {
    const words = identityWords[(await languageChosen(phoneNumber)) ?? language ?? 'en'];
    await sms.send(phoneNumber, words.codeText(code, minutes));
  };
}

export interface MailDelivery {
  ownerOf: MailAddresses['ownerOf'];
  addMail: (mail: Mail) => Promise<void>;
  /** Takes a mail out of the installation's budget; rejects where there is none left. */
  spend: (known: boolean) => Promise<void>;
  /** What became of a mail that nobody waits for. */
  onFailed: (error: unknown) => void;
}

/**
 * A new address is written to whosever it is. To sign in, only the one that opens an account is; that is looked up and
 * written once the answer is on its way, so that neither it nor its time tells whether there is an account.
 */
export function byMail({ ownerOf, addMail, spend, onFailed }: MailDelivery): Deliver {
  const write = async (to: string, code: string, known: boolean, language: WrittenLanguage) => {
    await spend(known);
    const { subject, text } = identityWords[language].mailCode;
    await addMail({ to, subject, text: `${text(code, minutes)}\n` });
  };
  return async (key, code, { known, language, newMail }) => {
    if (newMail !== undefined) {
      await write(newMail, code, known, language ?? 'en').catch((error: unknown) => {
        throw isAppError(error) && error.kind === 'rate_limited' ? mailUnavailable(error, error.retryAfterMs) : error;
      });
      return;
    }
    const writeToOwner = async () => {
      const owner = await ownerOf(key);
      // Not as it was typed: what looks alike may be another's.
      if (owner) await write(owner.email, code, known, owner.language ?? language ?? 'en');
    };
    setImmediate(() => void writeToOwner().catch(onFailed));
  };
}
