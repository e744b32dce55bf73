import { languageChoices, limits } from '@nolo/rules';
import * as z from 'zod/mini';
import { idParams, searchQuery, trimmedText } from './parameters.ts';
import { preferences } from './preferenceSchemas.ts';
import { defineRoute } from './route.ts';
import * as s from './schemas.ts';
import { privacySettings } from './privacySettings.ts';

/** The user's own account, and search for people. */
export const userRoutes = {
  getSelf: defineRoute({
    method: 'GET',
    path: '/api/auth/user',
    access: 'session',
    scope: 'profile:read',
    tag: 'users',
    summary: 'Get the signed-in account',
    whileClosed: true,
    reply: s.self,
  }),
  searchUsers: defineRoute({
    method: 'GET',
    path: '/api/search/users',
    access: 'session',
    scope: 'contacts:read',
    tag: 'users',
    summary: 'Find people',
    query: searchQuery,
    reply: z.array(s.user),
    errors: ['search_limited'],
  }),
  searchUsersDebounced: defineRoute({
    method: 'GET',
    path: '/api/users/search',
    access: 'session',
    scope: 'contacts:read',
    tag: 'users',
    summary: 'Find people; the same as /api/search/users',
    query: searchQuery,
    reply: z.array(s.user),
    errors: ['search_limited'],
  }),
  getUser: defineRoute({
    method: 'GET',
    path: '/api/users/{id}',
    access: 'session',
    scope: 'contacts:read',
    tag: 'users',
    summary: 'Get a person, as far as you may see them',
    params: idParams,
    reply: s.user,
    errors: ['user_not_found'],
  }),
  updateProfile: defineRoute({
    method: 'PUT',
    path: '/api/profile',
    access: 'session',
    tag: 'users',
    limit: 'profileChangesPerUser',
    summary: 'Change your profile',
    body: z.object({
      firstName: z.optional(trimmedText(1, limits.nameLength)),
      lastName: z.optional(trimmedText(0, limits.nameLength)),
      statusMessage: z.optional(trimmedText(0, limits.statusMessageLength)),
      presenceStatus: z.optional(s.presenceStatus),
      /** Language of emails and of the app on all devices; `device`: each device uses its own. */
      language: z.optional(z.enum(languageChoices)),
      /** IANA time zone for times in messages to the user. */
      timeZone: z.optional(z.string().check(z.maxLength(64))),
    }),
    reply: s.self,
    errors: ['profile_invalid'],
  }),
  updatePreferences: defineRoute({
    method: 'PATCH',
    path: '/api/profile/preferences',
    access: 'session',
    tag: 'users',
    limit: 'preferenceChangesPerUser',
    summary: 'Set your app preferences for all devices; if two conflict, the later one wins',
    body: preferences,
    reply: preferences,
    errors: ['preference_invalid'],
  }),
  setUsername: defineRoute({
    method: 'PUT',
    path: '/api/profile/username',
    access: 'session',
    tag: 'users',
    limit: 'usernameChangesPerUserDay',
    summary: 'Choose the username by which people find you without a number, or give it up',
    body: z.object({
      /** 3 to 30 letters, digits, dots and underscores, in any case; null removes it. */
      username: z.nullable(z.string().check(z.maxLength(100))),
    }),
    reply: s.self,
    errors: ['username_invalid', 'username_taken', 'username_limit'],
  }),
  updatePrivacy: defineRoute({
    method: 'PUT',
    path: '/api/profile/privacy',
    access: 'session',
    tag: 'users',
    limit: 'profileChangesPerUser',
    summary:
      'Change who may see, find, message, and call you, whether receipts are shared and archived chats stay archived, how calls are routed, and transcription',
    body: z.object({
      ...z.partial(privacySettings).shape,
      keepArchived: z.optional(z.boolean()),
    }),
    reply: s.self,
  }),
  deleteAccount: defineRoute({
    method: 'DELETE',
    path: '/api/account',
    access: 'session',
    tag: 'users',
    proof: 'account',
    status: 204,
    summary:
      'Close your account immediately; it is deleted permanently after a grace period in which you can still keep it',
  }),
  keepAccount: defineRoute({
    method: 'POST',
    path: '/api/account/keep',
    access: 'session',
    whileClosed: true,
    tag: 'users',
    limit: 'profileChangesPerUser',
    summary: 'Reopen your account after closing it for deletion',
    reply: s.self,
  }),
} as const;
