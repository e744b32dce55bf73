import { limits } from '@nolo/rules';

/** Cropped square, or the whole picture. */
export type PictureShape = 'square' | 'whole';

/** Purposes of an upload, with the maximum size in bytes and the resulting shape. */
export const purposes = {
  profile_image: { maxBytes: limits.profileImageBytes, shape: 'square' },
  group_picture: { maxBytes: limits.profileImageBytes, shape: 'square' },
  brand_logo: { maxBytes: limits.profileImageBytes, shape: 'whole' },
} as const satisfies Readonly<Record<string, { maxBytes: number; shape: PictureShape }>>;

export type Purpose = keyof typeof purposes;

export function isPurpose(value: string): value is Purpose {
  return Object.hasOwn(purposes, value);
}
