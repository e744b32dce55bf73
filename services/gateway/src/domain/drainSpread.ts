/**
 * Sockets per second that other replicas absorb unnoticed: each closed socket opens a new one, signs in and requests
 * what it missed.
 */
const perSecond = 200;

/** Returns the milliseconds over which to close sockets, at most `maxDrainMs`. */
export function computeDrainSpreadMs(sockets: number, maxDrainMs: number): number {
  return Math.min(Math.max(0, maxDrainMs), (Math.max(0, sockets - 1) * 1_000) / perSecond);
}
