import { fail } from '@nolo/kit/errors';
import { rpcService } from '@nolo/kit/rpc';
import { MailCodeServiceService } from '@nolo/proto/mailCodes';

/** The part of identity that sends codes by mail, as far as the gateway can tell: no address opens an account. */
export function memoryMailCodes() {
  return rpcService(MailCodeServiceService, {
    async sendMailCode({ email = '' }) {
      if (!email.includes('@')) throw fail('invalid', 'mail_address_invalid', 'Please enter a valid e-mail address.');
      return { validSeconds: 600 };
    },
    async verifyMailCode() {
      throw fail('invalid', 'code_expired', 'That code is no longer valid. Ask for a new one.', { triesLeft: 0 });
    },
  });
}
