import { isAppError } from '@nolo/kit/errors';
import type { Limiter } from '@nolo/kit/rateLimit';
import type { ServiceContext } from '@nolo/kit/service';
import type { RateLimitName } from '@nolo/rules';
import type { IdentityConfig } from './config.ts';
import { createMailCodeDelivery, createSmsCodeDelivery, type MailCodeDeliveryOptions } from './domain/codeDelivery.ts';
import { countryOf } from './domain/phoneNumbers.ts';
import type { SmsSender } from './domain/smsSender.ts';
import {
  createCodeVerification,
  createMailUnavailableError,
  createSmsUnavailableError,
  type CodeVerificationOptions,
} from './domain/codeVerification.ts';
import type { Dependencies } from './rpc/dependencies.ts';
import { findLanguageByPhone } from './store/reading.ts';

/** Creates verification by text message, and by email if email is sent. */
export function createCodeVerifications(
  { clock, db, log }: ServiceContext<IdentityConfig>,
  given: Pick<CodeVerificationOptions, 'codes' | 'store' | 'onSend'> & {
    sms: SmsSender;
    mails: Pick<MailCodeDeliveryOptions, 'ownerOf' | 'addMail'> | undefined;
    limiter: Limiter<RateLimitName>;
  },
): Pick<Dependencies, 'verification' | 'mailVerification'> {
  const { sms, mails, limiter, ...shared } = given;
  const onFailed = (error: unknown) => log.error({ err: error }, 'writing an email code failed');
  const spendMail = (known: boolean) =>
    limiter.consume('mailCodesPerDay', 'all').catch((error: unknown) => {
      if (!known || !isAppError(error) || error.kind !== 'rate_limited') throw error;
      return limiter.consume('mailCodesReservePerDay', 'all');
    });
  return {
    verification: createCodeVerification({
      ...shared,
      deliver: createSmsCodeDelivery(sms, (phoneNumber) => findLanguageByPhone(db, phoneNumber)),
      clock,
      spend: spendText(limiter),
      unavailable: createSmsUnavailableError,
    }),
    mailVerification:
      mails &&
      createCodeVerification({
        ...shared,
        deliver: createMailCodeDelivery({ ...mails, spend: spendMail, onFailed }),
        clock,
        // Counts email when it is sent rather than here, so the remaining budget does not reveal whether an address has
        // an account.
        spend: async () => undefined,
        unavailable: createMailUnavailableError,
      }),
  };
}

/**
 * Charges a text message to the budgets. Browsers that have signed in before have a reserve that unknown browsers
 * cannot use up.
 */
function spendText(limiter: Limiter<RateLimitName>) {
  const reserveFor = (known: boolean) => (error: unknown) => {
    if (!known || !isAppError(error) || error.kind !== 'rate_limited') throw error;
    return limiter.consume('textMessagesReservePerDay', 'all');
  };
  return async (phoneNumber: string, known: boolean): Promise<void> => {
    await limiter.consume('textMessagesPerCountryDay', countryOf(phoneNumber)).catch(reserveFor(known));
    await limiter.consume('textMessagesPerDay', 'all').catch(reserveFor(known));
  };
}
