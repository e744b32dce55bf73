/** Personal access tokens (issue 16), with which a user's programs call the API. */

/** Permissions of a token. An API route names the one that it requires; many accept no token. */
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

/** Prefix of every token, so that secret scanners recognize leaked ones. */
export const accessTokenPrefix = 'nolo_pat_';

/** Offered lifetimes of a token in days; any number up to `limits.accessTokenDaysMax` is accepted. */
export const accessTokenLifetimesInDays = [7, 30, 90, 365] as const;
