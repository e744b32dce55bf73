import { limits } from '@nolo/rules';

/** A square that is cut, or all of the picture. */
export type PictureShape = 'square' | 'whole';

/** What an upload may be for, how large it may be, in bytes, and what is made of it. */
export const purposes = {
  profile_image: { maxBytes: limits.profileImageBytes, shape: 'square' },
  group_picture: { maxBytes: limits.profileImageBytes, shape: 'square' },
  brand_logo: { maxBytes: limits.profileImageBytes, shape: 'whole' },
} as const satisfies Readonly<Record<string, { maxBytes: number; shape: PictureShape }>>;

export type Purpose = keyof typeof purposes;

export function isPurpose(value: string): value is Purpose {
  return Object.hasOwn(purposes, value);
}
