import { limits } from '@nolo/rules';

/** What an upload may be for, and how large it may be, in bytes. */
export const purposes = {
  profile_image: { maxBytes: limits.profileImageBytes },
  group_picture: { maxBytes: limits.profileImageBytes },
} as const;

export type Purpose = keyof typeof purposes;

export function isPurpose(value: string): value is Purpose {
  return Object.hasOwn(purposes, value);
}
