import { isAppError } from '@nolo/kit/errors';
import type { Device } from '@nolo/proto/identity';
import { createIdentityError } from '../errors.ts';
import { createSendsLimitedError } from '../domain/codeVerification.ts';
import type { Dependencies } from './dependencies.ts';
import { readDeviceAddress } from './requests.ts';

interface StrangerRequest {
  device?: Device | undefined;
  challengeSolution?: string | undefined;
}

/**
 * Admits code requests from browsers that have not signed in with the number or email address before. Beyond a limit it
 * requires proof of work instead of refusing (decision 40).
 */
export function createUnknownBrowserAdmission({ challenges, limiter, metrics }: Dependencies) {
  /** Returns true if a limit refused. Rethrows all other errors. */
  const refused = (error: unknown): true => {
    if (!isAppError(error) || error.kind !== 'rate_limited') throw error;
    return true;
  };

  /** Returns how many of the limits for unknown browsers are exceeded. */
  const excessOf = async (address: string, prefix: string | undefined): Promise<number> => {
    const isOver = (name: 'codeSendsPerAddress' | 'codeSendsPerPrefix', key: string) =>
      limiter.consume(name, key).then(() => false, refused);
    const over = [
      await isOver('codeSendsPerAddress', address),
      prefix !== undefined && (await isOver('codeSendsPerPrefix', prefix)),
    ];
    return over.filter(Boolean).length;
  };

  /** @param prefix of a number, given for text messages, which cost money and cost more to some prefixes */
  return async ({ challengeSolution, device }: StrangerRequest, sentToHash: Buffer, prefix?: string): Promise<void> => {
    const address = readDeviceAddress(device);
    const excess = await excessOf(address, prefix);
    if (excess === 0) return;
    const solved = challengeSolution === undefined ? undefined : await challenges.solved(sentToHash, challengeSolution);
    const isSpent =
      solved === undefined || (await limiter.consume('challengeSolutionUses', solved).then(() => false, refused));
    if (isSpent) {
      metrics.codeSends.inc({ outcome: 'challenged' });
      const challenge = await challenges.make(sentToHash, excess - 1);
      throw createIdentityError(
        'rate_limited',
        'challenge_required',
        'Too many codes were requested. Solve the challenge.',
        {
          challenge,
        },
      );
    }
    await limiter.consume('codeSendsSolvedPerAddress', address).catch((error: unknown) => {
      if (!isAppError(error) || error.kind !== 'rate_limited') throw error;
      metrics.codeSends.inc({ outcome: 'limited' });
      throw createSendsLimitedError(error.retryAfterMs ?? 60_000);
    });
  };
}
