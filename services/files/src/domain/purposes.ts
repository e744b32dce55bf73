import { limits } from '@nolo/rules';

/** Cropped square, or the whole picture. */
export type PictureShape = 'square' | 'whole';

/** Purposes of an upload, with the maximum size in bytes and the resulting shape. */
export const picturePurposes = {
  profile_image: { maxBytes: limits.profileImageBytes, shape: 'square' },
  group_picture: { maxBytes: limits.profileImageBytes, shape: 'square' },
  brand_logo: { maxBytes: limits.profileImageBytes, shape: 'whole' },
} as const satisfies Readonly<Record<string, { maxBytes: number; shape: PictureShape }>>;

export type PicturePurpose = keyof typeof picturePurposes;

export function isPicturePurpose(value: string): value is PicturePurpose {
  return Object.hasOwn(picturePurposes, value);
}
