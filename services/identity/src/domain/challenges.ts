import { createChallenge, verifySolution, type Challenge, type Payload } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { createHmac, randomInt } from 'node:crypto';
import type { Clock } from '@nolo/kit/clock';

/** Derivations that a browser tries before it finds the right one: a second of a phone, half of it of a laptop. */
const counters = { from: 60, below: 120 };
/** Iterations of PBKDF2 for each of them. */
const cost = 5_000;
const validMs = 5 * 60_000;

export interface Challenges {
  /** Work to be done before a code is sent to a number; each degree doubles it. */
  make(numberHash: Buffer, degree: number): Promise<Challenge>;
  /** What stands for a solved challenge, so that it is taken once; undefined for what does not solve one of this number. */
  solved(numberHash: Buffer, solution: string): Promise<string | undefined>;
}

/** As ALTCHA's clients write it: Base64 of JSON. */
function read(solution: string): Payload | undefined {
  try {
    return JSON.parse(Buffer.from(solution, 'base64').toString()) as Payload;
  } catch {
    return undefined;
  }
}

/**
 * Proof of work in place of refusal (ALTCHA, version 2): who asks for more than is usual pays with time of their own
 * processor. Nothing is kept of a challenge; it is signed, and belongs to one number.
 */
export function createChallenges({ pepper, clock }: { pepper: string; clock: Clock }): Challenges {
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
        // Not as the library's own expiry, which goes by the system's clock.
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
        // What is no challenge of ours is none at all.
        return undefined;
      }
    },
  };
}
