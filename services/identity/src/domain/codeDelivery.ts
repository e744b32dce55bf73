import { isAppError } from '@nolo/kit/errors';
import { limits, type SupportedLanguage } from '@nolo/rules';
import { identityWords } from './identityWords.ts';
import type { MailAddressStore } from './mailPorts.ts';
import type { OutgoingMail } from './securityPorts.ts';
import type { SmsSender } from './smsSender.ts';
import { createMailUnavailableError, type DeliverCode } from './codeVerification.ts';

const minutes = limits.verificationCodeValidSeconds / 60;

/**
 * @param languageChosen language of the account behind a number. Queried for every number alike; affects only the
 * message sent
 */
export function createSmsCodeDelivery(
  sms: SmsSender,
  languageChosen: (phoneNumber: string) => Promise<SupportedLanguage | undefined>,
): DeliverCode {
  return async (phoneNumber, code, { language }) => {
    const words = identityWords[(await languageChosen(phoneNumber)) ?? language ?? 'en'];
    await sms.send(phoneNumber, words.codeText(code, minutes));
  };
}

export interface MailCodeDeliveryOptions {
  ownerOf: MailAddressStore['ownerOf'];
  addMail: (mail: OutgoingMail) => Promise<void>;
  /** Charges an email to the installation's budget. Rejects if the budget is exhausted. */
  spend: (known: boolean) => Promise<void>;
  /** Reports the failure of an email that no request waits for. */
  onFailed: (error: unknown) => void;
}

/**
 * Sends codes by email. A new address always gets an email. For sign-in, only the account's own address gets one. That
 * lookup runs after the response, so neither the response nor its timing reveals whether an account exists.
 */
export function createMailCodeDelivery({ ownerOf, addMail, spend, onFailed }: MailCodeDeliveryOptions): DeliverCode {
  const write = async (to: string, code: string, known: boolean, language: SupportedLanguage) => {
    await spend(known);
    const { subject, text } = identityWords[language].mailCode;
    await addMail({ to, subject, text: `${text(code, minutes)}\n` });
  };
  return async (key, code, { known, language, newMail }) => {
    if (newMail !== undefined) {
      await write(newMail, code, known, language ?? 'en').catch((error: unknown) => {
        throw isAppError(error) && error.kind === 'rate_limited'
          ? createMailUnavailableError(error, error.retryAfterMs)
          : error;
      });
      return;
    }
    const writeToOwner = async () => {
      const owner = await ownerOf(key);
      // Uses the stored address rather than the typed one: an address that looks alike may belong to someone else.
      if (owner) await write(owner.email, code, known, owner.language ?? language ?? 'en');
    };
    setImmediate(() => void writeToOwner().catch(onFailed));
  };
}
