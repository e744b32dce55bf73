import { limits } from '@nolo/rules';
import { getMaxFileBytes } from '../../session/fileLimit.ts';

/** Types that the files service can read. */
export const pictureTypes = ['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif'] as const;

type PictureProblem = 'onlyOne' | 'notImage' | 'tooLarge' | 'empty';

/** Returns why files cannot be a profile picture, or null if they can (spec section 5). */
export function findPictureProblem(files: readonly Pick<File, 'type' | 'size'>[]): PictureProblem | null {
  const [file] = files;
  if (!file) return 'empty';
  if (files.length > 1) return 'onlyOne';
  if (!pictureTypes.some((type) => type === file.type)) return 'notImage';
  if (file.size === 0) return 'empty';
  return file.size > getMaxFileBytes(limits.profileImageBytes) ? 'tooLarge' : null;
}
