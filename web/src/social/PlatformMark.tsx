import type { SocialPlatform } from '@nolo/rules';
import { classNames } from '../ui/classNames.ts';

/** Letters by which a platform is known; the platforms' own pictures are theirs. */
const marks: Record<SocialPlatform, string> = {
  twitter: 'X',
  facebook: 'f',
  instagram: 'ig',
  linkedin: 'in',
  threads: '@',
  mastodon: 'm',
  bluesky: 'bs',
};

export const platformNames: Record<SocialPlatform, string> = {
  twitter: 'X',
  facebook: 'Facebook',
  instagram: 'Instagram',
  linkedin: 'LinkedIn',
  threads: 'Threads',
  mastodon: 'Mastodon',
  bluesky: 'Bluesky',
};

export function PlatformMark({ platform, small = false }: { platform: SocialPlatform; small?: boolean }) {
  return (
    <span
      role="img"
      aria-label={platformNames[platform]}
      title={platformNames[platform]}
      dir="ltr"
      className={classNames(
        'inline-flex shrink-0 items-center justify-center rounded-[7px] bg-ink font-semibold text-page',
        small ? 'size-6 text-12' : 'size-8 text-14',
      )}
    >
      {marks[platform]}
    </span>
  );
}
