/**
 * What the other replicas take without anybody noticing: each socket that is sent away opens a new one, signs in with it
 * and asks for what it missed.
 */
const perSecond = 200;

/** Over how many milliseconds so many sockets are sent away, if there are at most `mostMs`. */
export function drainSpreadMs(sockets: number, mostMs: number): number {
  return Math.min(Math.max(0, mostMs), (Math.max(0, sockets - 1) * 1_000) / perSecond);
}
