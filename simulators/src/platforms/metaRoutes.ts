import type { PlatformSimulation, PlatformName } from './PlatformSimulation.ts';
import {
  isAppAuthenticated,
  PlatformRefusal,
  exchangesCode,
  type PlatformAnswer,
  type PlatformApiCall,
} from './platformRouter.ts';

const graphError = (
  status: number,
  code: number,
  message: string,
  subcode?: number,
  more: object = {},
): PlatformAnswer => ({
  status,
  body: {
    error: {
      message,
      type: 'OAuthException',
      code,
      ...(subcode === undefined ? {} : { error_subcode: subcode }),
      fbtrace_id: 'EJplcsCHuLu',
      ...more,
    },
  },
});

/** https://developers.facebook.com/docs/graph-api/guides/error-handling (v24.0); the same for Instagram and Threads */
export const metaErrors = (reset: Date): Record<string, PlatformAnswer> => ({
  expired: graphError(400, 190, 'Error validating access token: Session has expired.', 463),
  password_changed: graphError(400, 190, 'Error validating access token: The session was invalidated.', 460),
  checkpoint: graphError(
    400,
    190,
    'You cannot access the app till you log in to www.facebook.com and follow the instructions given.',
    459,
  ),
  permission: graphError(403, 10, '(#10) Application does not have permission for this action'),
  scope: graphError(403, 200, '(#200) Requires pages_manage_posts permission'),
  rate_limit: {
    ...graphError(400, 4, '(#4) Application request limit reached', undefined, { is_transient: true }),
    headers: {
      'x-business-use-case-usage': JSON.stringify({
        '66782684': [
          {
            type: 'pages',
            call_count: 100,
            total_cputime: 20,
            total_time: 20,
            estimated_time_to_regain_access: Math.max(1, Math.ceil((reset.getTime() - Date.now()) / 60_000)),
          },
        ],
      }),
    },
  },
  user_limit: graphError(400, 17, '(#17) User request limit reached'),
  page_limit: graphError(400, 32, '(#32) Page request limit reached'),
  blocked: graphError(400, 368, 'The action attempted has been deemed abusive or is otherwise disallowed'),
  duplicate: graphError(400, 506, 'Duplicate status message'),
  media: graphError(400, 9004, 'The media could not be fetched from this URI', 2207052, { is_transient: false }),
  too_long: graphError(400, 36004, 'The caption was too long', 2207010, { is_transient: false }),
  restricted: graphError(400, 25, 'The account is restricted.', 2207050, { is_transient: false }),
  outage: graphError(500, 2, 'An unexpected error has occurred. Please retry your request later.', undefined, {
    is_transient: true,
  }),
});

/** Creates what Meta's three platforms have in common. */
export function createMeta(simulation: PlatformSimulation, name: PlatformName, secret: string) {
  const refuse = (error: string) => new PlatformRefusal(metaErrors(simulation.now())[error] ?? {});
  return {
    refuse,
    /** Returns the account or page of the token. */
    mustBeIn({ token }: PlatformApiCall): string {
      const account = simulation.accountOf(name, 'access', token);
      if (account === undefined) throw refuse('expired');
      return account;
    },
    mustExchange(call: PlatformApiCall): void {
      if (isAppAuthenticated(call, secret) && exchangesCode(simulation, name, call)) return;
      throw new PlatformRefusal(graphError(400, 100, 'This authorization code has been used.', 36009));
    },
  };
}
