import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { newId, parseId } from '@nolo/kit/ids';
import { parseCookie, stringifySetCookie } from 'cookie';
import type { Edge } from '../edge.ts';

const keptSeconds = 90 * 86_400;

/**
 * By what a browser without a session is known again. It says nothing about anybody, goes to the paths alone that it is
 * for, and is signed, so that nobody carries one that was not given out, or another's.
 */
export interface BrowserMark {
  readonly id: string;
}

export interface BrowserMarks {
  /** The mark that a request carries. */
  read(headers: IncomingHttpHeaders): BrowserMark | undefined;
  /** The same, or a new one. */
  of(headers: IncomingHttpHeaders): BrowserMark;
  /** Lets the browser keep it. */
  give(response: ServerResponse, mark: BrowserMark): void;
  /** Takes it from the browser. */
  forget(response: ServerResponse): void;
}

export interface BrowserMarksOptions {
  /** What the cookie is called behind the name of the session's. */
  readonly name: string;
  /** The paths that the browser sends it to. */
  readonly path: string;
  /** What the key is derived for: a mark of one kind is none of another. */
  readonly purpose: string;
}

/** Of the browser that asked for a verification code: the code works there, and nobody else's guesses use it up. */
export const askerMark: BrowserMarksOptions = {
  name: 'asker',
  path: '/api/verification',
  purpose: 'nolo asker mark',
};

export function createBrowserMarks(
  { config, publicUrl }: Pick<Edge, 'config' | 'publicUrl'>,
  { name: kind, path, purpose }: BrowserMarksOptions,
): BrowserMarks {
  const secure = publicUrl.startsWith('https:');
  const name = `${secure ? '__Secure-' : ''}${config.SESSION_COOKIE}_${kind}`;
  const key = new Uint8Array(hkdfSync('sha256', config.COOKIE_SECRET.reveal(), '', purpose, 32));
  const proofOf = (id: string) => createHmac('sha256', key).update(id).digest();

  const read = ({ cookie }: IncomingHttpHeaders): BrowserMark | undefined => {
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
