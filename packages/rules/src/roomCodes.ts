/** Six characters that people type (decision 9), for meetings and groups in one name space. */

/** Without 0 O 1 I L, which people mistake for each other (decision 9). */
export const roomCodeAlphabet = '23456789ABCDEFGHJKMNPQRSTUVWXYZ';
export const roomCodeLength = 6;

/** What a room code opens. */
export type RoomCodeKind = 'meeting' | 'group';

/** A typed code as it is compared: without space, in upper case. */
export function normalizeRoomCode(typed: string): string {
  return typed.replace(/\s+/g, '').toUpperCase();
}

/** Whether a normalized code could be one: six letters or digits (spec section 5). */
export function looksLikeRoomCode(code: string): boolean {
  return /^[0-9A-Z]{6}$/.test(code);
}

/**
 * Meetings and groups are kept by two services. The parity of a code says whose it is, so the two never make the same
 * one and need not ask each other (ADR 8). Undefined for what is no code of ours.
 */
export function roomCodeKind(code: string): RoomCodeKind | undefined {
  if (code.length !== roomCodeLength) return undefined;
  const places = [...code].map((character) => roomCodeAlphabet.indexOf(character));
  if (places.includes(-1)) return undefined;
  return places.reduce((sum, place) => sum + place, 0) % 2 === 0 ? 'meeting' : 'group';
}

/** A number below the given one, each as likely as any other, from a cryptographic generator. */
function randomBelow(below: number): number {
  const bound = 256 - (256 % below);
  for (;;) {
    const [byte = 0] = crypto.getRandomValues(new Uint8Array(1));
    if (byte < bound) return byte % below;
  }
}

/** A code of that kind; whether it is free is for a store to say. */
export function newRoomCode(kind: RoomCodeKind, random: (below: number) => number = randomBelow): string {
  for (;;) {
    const code = Array.from({ length: roomCodeLength }, () => roomCodeAlphabet[random(roomCodeAlphabet.length)]).join(
      '',
    );
    // Half of all codes are of each kind, so this ends soon.
    if (roomCodeKind(code) === kind) return code;
  }
}
