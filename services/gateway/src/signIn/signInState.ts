import { hkdfSync } from 'node:crypto';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { Clock } from '@nolo/kit/clock';
import type { Secret } from '@nolo/kit/config';
import { parseCookie, stringifySetCookie } from 'cookie';
import { EncryptJWT, jwtDecrypt } from 'jose';
import * as z from 'zod/mini';

/** State that a browser carries from the start of a sign-in to its return. */
const signInState = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  returnTo: z.string(),
  /** Signing in, linking the provider to an account, or proving identity again. */
  purpose: z.enum(['signIn', 'link', 'prove']),
  /** Account and session that started the linking or proof. */
  account: z.optional(z.string()),
  session: z.optional(z.string()),
});
export type SignInState = z.infer<typeof signInState>;

export interface SignInStates {
  put(response: ServerResponse, value: SignInState): Promise<void>;
  /** Returns undefined if the state is missing, expired, or foreign. Works once: it deletes the cookie. */
  take(headers: IncomingHttpHeaders, response: ServerResponse, state: string): Promise<SignInState | undefined>;
}

const validSeconds = 600;
/** Maximum unfinished sign-ins per browser. */
const maxOpenSignIns = 5;

/**
 * Stores each sign-in in its own cookie, so tabs do not interfere. The cookie is encrypted because it holds the PKCE
 * verifier, and hidden from scripts. The server stores nothing, so any replica can finish a sign-in.
 */
export function createSignInStates(options: { secret: Secret; secure: boolean; clock: Clock }): SignInStates {
  const { clock, secure } = options;
  const key = new Uint8Array(hkdfSync('sha256', options.secret.reveal(), '', 'nolo sign-in state', 32));
  const prefix = secure ? '__Host-nolo_sign_in.' : 'nolo_sign_in.';
  const nameFor = (state: string) => prefix + state.replace(/[^A-Za-z0-9_-]/g, '').slice(0, 12);

  const write = (response: ServerResponse, name: string, value: string, maxAge: number) => {
    response.appendHeader(
      'Set-Cookie',
      stringifySetCookie({ name, value, path: '/', httpOnly: true, sameSite: 'lax', secure, maxAge }),
    );
  };

  return {
    async put(response, value) {
      const now = Math.floor(clock.now().getTime() / 1000);
      const sealed = await new EncryptJWT({ ...value })
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
        .setIssuedAt(now)
        .setExpirationTime(now + validSeconds)
        .encrypt(key);
      const open = Object.keys(parseCookie(response.req.headers.cookie ?? '')).filter((name) =>
        name.startsWith(prefix),
      );
      if (open.length >= maxOpenSignIns) for (const name of open) write(response, name, '', 0);
      write(response, nameFor(value.state), sealed, validSeconds);
    },

    async take(headers, response, state) {
      const name = nameFor(state);
      const sealed = parseCookie(headers.cookie ?? '')[name];
      if (sealed === undefined) return undefined;
      write(response, name, '', 0);
      try {
        const { payload } = await jwtDecrypt(sealed, key, {
          contentEncryptionAlgorithms: ['A256GCM'],
          keyManagementAlgorithms: ['dir'],
          currentDate: clock.now(),
        });
        const parsed = signInState.safeParse(payload);
        return parsed.success && parsed.data.state === state ? parsed.data : undefined;
      } catch {
        // Expired or encrypted under another COOKIE_SECRET: the user starts over.
        return undefined;
      }
    },
  };
}
