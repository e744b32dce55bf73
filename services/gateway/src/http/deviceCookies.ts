import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { newId, parseId } from '@nolo/kit/ids';
import { parseCookie, stringifySetCookie } from 'cookie';
import type { HttpContext } from './httpContext.ts';

const keptSeconds = 90 * 86_400;

/**
 * Device cookie that identifies a browser without a session. It has no personal data, is sent only to the paths that
 * need it, and is signed, so that a client can neither invent one nor guess that of another browser.
 */
interface DeviceCookie {
  readonly id: string;
}

export interface DeviceCookies {
  /** Returns the device cookie of a request. */
  read(headers: IncomingHttpHeaders): DeviceCookie | undefined;
  /** Returns the device cookie of a request, or a new one. */
  of(headers: IncomingHttpHeaders): DeviceCookie;
  /** Sets the cookie. */
  give(response: ServerResponse, deviceCookie: DeviceCookie): void;
  /** Clears the cookie. */
  forget(response: ServerResponse): void;
}

export interface DeviceCookieOptions {
  /** Suffix of the cookie's name, after that of the session cookie. */
  readonly name: string;
  /** Path that the browser sends it to. */
  readonly path: string;
  /** Purpose of the derived key: a cookie of one kind is invalid for another. */
  readonly purpose: string;
}

/**
 * Cookie of the browser that requested a verification code: the code works only there, and guesses from elsewhere do
 * not use it up.
 */
export const verificationCookieOptions: DeviceCookieOptions = {
  name: 'asker',
  path: '/api/verification',
  purpose: 'nolo asker mark',
};

export function createDeviceCookies(
  { config, publicUrl }: Pick<HttpContext, 'config' | 'publicUrl'>,
  { name: kind, path, purpose }: DeviceCookieOptions,
): DeviceCookies {
  const secure = publicUrl.startsWith('https:');
  const name = `${secure ? '__Secure-' : ''}${config.SESSION_COOKIE}_${kind}`;
  const key = new Uint8Array(hkdfSync('sha256', config.COOKIE_SECRET.reveal(), '', purpose, 32));
  const proofOf = (id: string) => createHmac('sha256', key).update(id).digest();

  const read = ({ cookie }: IncomingHttpHeaders): DeviceCookie | undefined => {
    const [given = '', proof = ''] = (cookie === undefined ? '' : (parseCookie(cookie)[name] ?? '')).split('.');
    const id = parseId(given);
    if (id === undefined) return undefined;
    const [bytes, expected] = [Buffer.from(proof, 'base64url'), proofOf(id)];
    return expected.length === bytes.length && timingSafeEqual(expected, bytes) ? { id } : undefined;
  };

  const write = (response: ServerResponse, value: string, maxAge: number) => {
    const cookie = stringifySetCookie({ name, value, path, sameSite: 'lax', httpOnly: true, secure, maxAge });
    response.appendHeader('Set-Cookie', cookie);
  };

  return {
    read,
    of: (headers) => read(headers) ?? { id: newId() },
    give: (response, { id }) => write(response, `${id}.${proofOf(id).toString('base64url')}`, keptSeconds),
    forget: (response) => write(response, '', 0),
  };
}
