import { isAppError } from '@nolo/kit/errors';
import type { SendCodeReply, SendCodeRequest } from '@nolo/proto/identity';
import { limits } from '@nolo/rules';
import { numberPrefix } from '../domain/phoneNumbers.ts';
import { sendsLimited } from '../domain/verification.ts';
import type { RpcDeps } from './deps.ts';
import { readAddress } from './requests.ts';

/** Nothing here asks whether the number has an account, so the answer cannot tell (decision 4). */
export function sendCode({ verification, limiter, metrics }: Pick<RpcDeps, 'verification' | 'limiter' | 'metrics'>) {
  return async (request: SendCodeRequest): Promise<SendCodeReply> => {
    const phoneNumber = verification.readNumber(request.phoneNumber);
    try {
      await limiter.consume('codeSendsPerAddress', readAddress(request.device));
      await limiter.consume('codeSendsPerPrefix', numberPrefix(phoneNumber));
    } catch (error) {
      if (!isAppError(error) || error.kind !== 'rate_limited') throw error;
      metrics.codeSends.inc({ outcome: 'limited' });
      throw sendsLimited(error.retryAfterMs ?? 60_000);
    }
    await verification.send(phoneNumber);
    return { validSeconds: limits.verificationCodeValidSeconds, phoneNumber };
  };
}
