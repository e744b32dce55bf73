import { createHash, randomBytes, randomInt } from 'node:crypto';
import { roomCodeAlphabet, roomCodeLength } from '@nolo/rules';

/** A code from a cryptographic generator (decision 9); whether it is free is for the store to say. */
export function makeRoomCode(random: (below: number) => number = randomInt): string {
  return Array.from({ length: roomCodeLength }, () => roomCodeAlphabet[random(roomCodeAlphabet.length)]).join('');
}

/** 128 bits, for invite links and guests' passes. */
export function makeToken(): string {
  return randomBytes(16).toString('base64url');
}

/** What is kept of a token: whoever reads the database can open nothing with it. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
