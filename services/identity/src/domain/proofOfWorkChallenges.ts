import { createChallenge, verifySolution, type Challenge, type Payload } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { createHmac, randomInt } from 'node:crypto';
import type { Clock } from '@nolo/kit/clock';

/**
 * Range of derivations that a browser tries before it finds the right one: about a second on a phone, half that on a
 * laptop.
 */
const counters = { from: 60, below: 120 };
/** PBKDF2 iterations per derivation. */
const cost = 5_000;
const validMs = 5 * 60_000;

export interface ProofOfWorkChallenges {
  /** Creates the work required before a code is sent to a number. Each degree doubles it. */
  make(numberHash: Buffer, degree: number): Promise<Challenge>;
  /**
   * Returns an identifier of a solved challenge, so it is accepted once. Undefined if the solution is wrong or for
   * another number.
   */
  solved(numberHash: Buffer, solution: string): Promise<string | undefined>;
}

/** Decodes the format of ALTCHA clients: Base64 of JSON. */
function read(solution: string): Payload | undefined {
  try {
    return JSON.parse(Buffer.from(solution, 'base64').toString()) as Payload;
  } catch {
    return undefined;
  }
}

/**
 * Requires proof of work instead of refusing (ALTCHA, version 2): unusually many requests cost the client processor
 * time. Challenges are not stored; they are signed and bound to one number.
 */
export function createProofOfWorkChallenges({
  pepper,
  clock,
}: {
  pepper: string;
  clock: Clock;
}): ProofOfWorkChallenges {
  const secretFor = (label: string) => createHmac('sha256', pepper).update(label).digest('hex');
  const secrets = {
    hmacSignatureSecret: secretFor('challenge'),
    hmacKeySignatureSecret: secretFor('challenge key'),
  };
  return {
    make: (numberHash, degree) =>
      createChallenge({
        ...secrets,
        algorithm: 'PBKDF2/SHA-256',
        cost,
        counter: randomInt(counters.from, counters.below) * 2 ** degree,
        deriveKey,
        // Replaces the library's own expiry, which uses the system clock.
        data: { number: numberHash.toString('base64url'), until: clock.now().getTime() + validMs },
      }),

    async solved(numberHash, solution) {
      const payload = read(solution);
      const { parameters, signature } = payload?.challenge ?? {};
      const { number, until } = parameters?.data ?? {};
      if (!payload || number !== numberHash.toString('base64url')) return undefined;
      if (!(Number(until) > clock.now().getTime())) return undefined;
      try {
        const { verified } = await verifySolution({ ...payload, ...secrets, deriveKey });
        return verified ? signature : undefined;
      } catch {
        // The challenge is not ours.
        return undefined;
      }
    },
  };
}
