/** Personal access tokens (issue 16): what programs of a person call the API with. */

/** What a token may be allowed to do. A route of the API names the one that it takes; many take none. */
export const tokenScopes = [
  'profile:read',
  'contacts:read',
  'contacts:write',
  'messages:read',
  'messages:write',
  'groups:read',
  'groups:write',
  'meetings:read',
  'meetings:write',
  'status:read',
  'status:write',
  'posts:read',
  'posts:write',
  'files:read',
  'files:write',
  'webhooks:read',
  'webhooks:write',
] as const;
export type TokenScope = (typeof tokenScopes)[number];

/** What every token begins with, so that scanners for secrets know one wherever somebody left it. */
export const accessTokenPrefix = 'nolo_pat_';

/** After how many days a token may expire, as it is offered; any number up to `limits.accessTokenDaysMax` is taken. */
export const accessTokenDays = [7, 30, 90, 365] as const;
