import { solveChallenge as solve, type Challenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2';

/** Longer than the slowest phone needs; the challenge has expired by then. */
const timeoutMs = 120_000;

/**
 * Returns the solution of a challenge in the server's format: Base64 of JSON (ALTCHA, version 2). The browser derives
 * the keys itself, off the page's thread.
 */
export async function solveChallenge(given: unknown): Promise<string> {
  const challenge = given as Challenge;
  const solution = await solve({ challenge, deriveKey, timeout: timeoutMs });
  if (!solution) throw new Error('The challenge could not be solved in time.');
  return btoa(JSON.stringify({ challenge, solution }));
}
