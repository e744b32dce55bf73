/** Six-character codes that people type (decision 9), with one namespace for meetings and groups. */

/** Excludes 0 O 1 I L, which are easily confused (decision 9). */
export const roomCodeAlphabet = '23456789ABCDEFGHJKMNPQRSTUVWXYZ';
export const roomCodeLength = 6;

/** Kind of room that a code opens. */
export type RoomCodeKind = 'meeting' | 'group';

/** Returns a typed code in comparable form: without spaces, in upper case. */
export function normalizeRoomCode(typed: string): string {
  return typed.replace(/\s+/g, '').toUpperCase();
}

/** Returns true if a normalized code has the right form: six letters or digits (spec section 5). */
export function looksLikeRoomCode(code: string): boolean {
  return /^[0-9A-Z]{6}$/.test(code);
}

/**
 * Returns the kind of a code. Two services store meetings and groups. The parity of a code identifies the service, so
 * the two never create the same code and need not coordinate (ADR 8). Undefined for a string that is no room code.
 */
export function roomCodeKindOf(code: string): RoomCodeKind | undefined {
  if (code.length !== roomCodeLength) return undefined;
  const places = [...code].map((character) => roomCodeAlphabet.indexOf(character));
  if (places.includes(-1)) return undefined;
  return places.reduce((sum, place) => sum + place, 0) % 2 === 0 ? 'meeting' : 'group';
}

/** Returns a uniformly distributed random number below the given one, from a cryptographic generator. */
function randomBelow(below: number): number {
  const bound = 256 - (256 % below);
  for (;;) {
    const [byte = 0] = crypto.getRandomValues(new Uint8Array(1));
    if (byte < bound) return byte % below;
  }
}

/** Returns a new code of that kind; the store must check whether it is free. */
export function newRoomCode(kind: RoomCodeKind, random: (below: number) => number = randomBelow): string {
  for (;;) {
    const code = Array.from({ length: roomCodeLength }, () => roomCodeAlphabet[random(roomCodeAlphabet.length)]).join(
      '',
    );
    // Half of all codes are of each kind, so this ends soon.
    if (roomCodeKindOf(code) === kind) return code;
  }
}
