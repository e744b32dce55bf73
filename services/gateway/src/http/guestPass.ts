import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { isAppError } from '@nolo/kit/errors';
import type { RpcCallOptions } from '@nolo/kit/rpc';
import type { Guest } from '@nolo/proto/meetings';
import { parseCookie, stringifySetCookie } from 'cookie';
import type { Clients } from '../clients.ts';
import type { HttpContext } from './httpContext.ts';

const longestToken = 512;

/** Cookie of a guest, valid only for the socket and one meeting (decision 20). */
export interface GuestPasses {
  give(response: ServerResponse, token: string, expiresAt: Date | undefined): void;
  /** Returns the guest of a request with a valid pass. */
  find(headers: IncomingHttpHeaders, call: RpcCallOptions): Promise<Guest | undefined>;
}

export function createGuestPasses(
  context: Pick<HttpContext, 'clock' | 'publicUrl' | 'config'> & Pick<Clients, 'meetings'>,
): GuestPasses {
  const { meetings, clock, config } = context;
  const secure = context.publicUrl.startsWith('https:');
  // The prefix cannot be __Host-, which requires the path "/": this cookie is for the socket only.
  const name = `${secure ? '__Secure-' : ''}${config.SESSION_COOKIE}_guest`;

  return {
    give(response, token, expiresAt) {
      const seconds = expiresAt ? Math.floor((expiresAt.getTime() - clock.now().getTime()) / 1000) : 86_400;
      response.appendHeader(
        'Set-Cookie',
        stringifySetCookie({
          name,
          value: token,
          path: '/ws',
          sameSite: 'lax',
          httpOnly: true,
          secure,
          maxAge: Math.max(0, seconds),
        }),
      );
    },
    async find(headers, call) {
      const token = headers.cookie === undefined ? undefined : parseCookie(headers.cookie)[name];
      if (token === undefined || token === '' || token.length > longestToken) return undefined;
      try {
        return await meetings.authenticateGuest({ token }, call);
      } catch (error) {
        if (isAppError(error) && error.kind !== 'unavailable' && error.kind !== 'internal') return undefined;
        throw error;
      }
    },
  };
}
