import { fail } from '@nolo/kit/errors';
import { rpcService } from '@nolo/kit/rpc';
import { SecondFactorServiceService } from '@nolo/proto/secondFactor';

/** The part of identity that knows second factors, as far as the gateway can tell: nobody has one. */
export function memorySecondFactor() {
  const off = async () => {
    throw fail('conflict', 'second_factor_off', 'Two-step verification is off.');
  };
  const refuse = async () => {
    throw fail('invalid', 'ticket_invalid', 'That took too long. Sign in with your number again.');
  };
  const service = rpcService(SecondFactorServiceService, {
    getSecondFactor: async () => ({ registrationLock: false, recoveryCodesLeft: 0 }),
    beginSecondFactor: async () => ({ secret: 'AA', uri: 'otpauth://totp/Nolo' }),
    async confirmSecondFactor() {
      throw fail('invalid', 'second_factor_wrong', 'That code is not right.');
    },
    removeSecondFactor: off,
    renewRecoveryCodes: off,
    setRegistrationLock: off,
    proveBySecondFactor: off,
    async refuseAccountWait() {
      throw fail('not_found', 'account_wait_not_found', 'Nobody is waiting for your account any more.');
    },
    passSecondFactor: refuse,
    askForAccount: refuse,
  });
  return { service };
}
