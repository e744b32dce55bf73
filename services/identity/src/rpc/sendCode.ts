import { isAppError } from '@nolo/kit/errors';
import type { SendCodeReply, SendCodeRequest } from '@nolo/proto/identity';
import { limits } from '@nolo/rules';
import { numberPrefix } from '../domain/phoneNumbers.ts';
import { sendsLimited } from '../domain/verification.ts';
import { failIdentity } from '../errors.ts';
import type { RpcDeps } from './deps.ts';
import { readAddress, readAsker } from './requests.ts';

type Deps = Pick<RpcDeps, 'challenges' | 'codes' | 'limiter' | 'metrics' | 'verification'>;

/** Nothing here asks whether the number has an account, so the answer cannot tell (decision 4). */
export function sendCode({ challenges, codes, limiter, metrics, verification }: Deps) {
  /** True where a limit said no; everything else that can go wrong is passed on. */
  const refused = (error: unknown): true => {
    if (!isAppError(error) || error.kind !== 'rate_limited') throw error;
    return true;
  };

  /** How many of the limits for strangers are used up. */
  const excessOf = async (address: string, phoneNumber: string): Promise<number> => {
    const isOver = (name: 'codeSendsPerAddress' | 'codeSendsPerPrefix', key: string) =>
      limiter.consume(name, key).then(() => false, refused);
    const over = [
      await isOver('codeSendsPerAddress', address),
      await isOver('codeSendsPerPrefix', numberPrefix(phoneNumber)),
    ];
    return over.filter(Boolean).length;
  };

  /** Work in place of refusal (decision 40): what is over a limit is sent to whoever pays for it with a processor. */
  const admitStranger = async ({ challengeSolution, device }: SendCodeRequest, phoneNumber: string): Promise<void> => {
    const address = readAddress(device);
    const excess = await excessOf(address, phoneNumber);
    if (excess === 0) return;
    const numberHash = codes.numberHash(phoneNumber);
    const solved = challengeSolution === undefined ? undefined : await challenges.solved(numberHash, challengeSolution);
    const isSpent =
      solved === undefined || (await limiter.consume('challengeSolutionUses', solved).then(() => false, refused));
    if (isSpent) {
      metrics.codeSends.inc({ outcome: 'challenged' });
      const challenge = await challenges.make(numberHash, excess - 1);
      throw failIdentity('rate_limited', 'challenge_required', 'Too many codes were requested. Solve the challenge.', {
        challenge,
      });
    }
    await limiter.consume('codeSendsSolvedPerAddress', address).catch((error: unknown) => {
      if (!isAppError(error) || error.kind !== 'rate_limited') throw error;
      metrics.codeSends.inc({ outcome: 'limited' });
      throw sendsLimited(error.retryAfterMs ?? 60_000);
    });
  };

  return async (request: SendCodeRequest): Promise<SendCodeReply> => {
    const phoneNumber = verification.readNumber(request.phoneNumber);
    const asker = readAsker(codes, request.device);
    const known = await verification.isKnown(phoneNumber, asker);
    if (!known) await admitStranger(request, phoneNumber);
    await verification.send(phoneNumber, asker, known);
    return { validSeconds: limits.verificationCodeValidSeconds, phoneNumber };
  };
}
