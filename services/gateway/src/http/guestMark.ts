import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { newId, parseId } from '@nolo/kit/ids';
import { parseCookie, stringifySetCookie } from 'cookie';
import type { Edge } from '../edge.ts';

const keptSeconds = 90 * 86_400;

/**
 * By what the browser of a guest is known again, so that whoever was removed from a meeting does not come back under
 * another name. It says nothing about anybody, goes to the meetings' paths alone, and is signed, so that nobody carries
 * one that was not given out, or another's.
 */
export interface GuestMark {
  readonly id: string;
}

export interface GuestMarks {
  /** The mark that a request carries, or a new one. */
  of(headers: IncomingHttpHeaders): GuestMark;
  /** Lets the browser keep it. */
  give(response: ServerResponse, mark: GuestMark): void;
}

export function createGuestMarks({ config, publicUrl }: Pick<Edge, 'config' | 'publicUrl'>): GuestMarks {
  const secure = publicUrl.startsWith('https:');
  const name = `${secure ? '__Secure-' : ''}${config.SESSION_COOKIE}_visitor`;
  const key = new Uint8Array(hkdfSync('sha256', config.COOKIE_SECRET.reveal(), '', 'nolo guest mark', 32));
  const proofOf = (id: string) => createHmac('sha256', key).update(id).digest();

  const read = ({ cookie }: IncomingHttpHeaders): string | undefined => {
    const [given = '', proof = ''] = (cookie === undefined ? '' : (parseCookie(cookie)[name] ?? '')).split('.');
    const id = parseId(given);
    const bytes = Buffer.from(proof, 'base64url');
    const expected = id === undefined ? undefined : proofOf(id);
    return expected?.length === bytes.length && timingSafeEqual(expected, bytes) ? id : undefined;
  };

  return {
    of: (headers) => ({ id: read(headers) ?? newId() }),
    give(response, { id }) {
      response.appendHeader(
        'Set-Cookie',
        stringifySetCookie({
          name,
          value: `${id}.${proofOf(id).toString('base64url')}`,
          path: '/api/meetings',
          sameSite: 'lax',
          httpOnly: true,
          secure,
          maxAge: keptSeconds,
        }),
      );
    },
  };
}
