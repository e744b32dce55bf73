import type { UserId } from '@nolo/kit/ids';
import { createHmac } from 'node:crypto';

export interface IceServer {
  urls: string[];
  username?: string;
  credential?: string;
}

const validSeconds = 12 * 3_600;

/**
 * Builds the STUN and TURN servers for browsers. TURN credentials belong to a user and expire after half a day,
 * following the TURN REST API (draft-uberti-behave-turn-rest-00), which coturn calls use-auth-secret.
 */
export function createIceServers(
  urls: readonly string[],
  turnSecret: string | undefined,
  userId: UserId,
  now: Date,
): IceServer[] {
  const isTurn = (url: string) => /^turns?:/.test(url);
  const servers: IceServer[] = [];
  const stun = urls.filter((url) => !isTurn(url));
  const turn = urls.filter(isTurn);
  if (stun.length > 0) servers.push({ urls: stun });
  if (turn.length > 0 && turnSecret !== undefined) {
    const username = `${Math.floor(now.getTime() / 1000) + validSeconds}:${userId}`;
    // The draft requires SHA-1. It authenticates for hours and hides nothing.
    servers.push({
      urls: turn,
      username,
      credential: createHmac('sha1', turnSecret).update(username).digest('base64'),
    });
  }
  return servers;
}
