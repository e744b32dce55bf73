import { socialPlatformNames, type SocialPlatform } from '@nolo/rules';
import { classNames } from '../ui/classNames.ts';

/** Initials for each platform, because their logos belong to them. */
const platformLetters: Record<SocialPlatform, string> = {
  twitter: 'X',
  facebook: 'f',
  instagram: 'ig',
  linkedin: 'in',
  threads: '@',
  mastodon: 'm',
  bluesky: 'bs',
};

const sizes = {
  tiny: 'size-4 rounded-[4px] text-[9px]',
  small: 'size-6 rounded-[7px] text-12',
  medium: 'size-8 rounded-[7px] text-14',
};

export function PlatformIcon({ platform, size = 'medium' }: { platform: SocialPlatform; size?: keyof typeof sizes }) {
  return (
    <span
      role="img"
      aria-label={socialPlatformNames[platform]}
      title={socialPlatformNames[platform]}
      dir="ltr"
      className={classNames(
        'inline-flex shrink-0 items-center justify-center bg-ink font-semibold text-page',
        sizes[size],
      )}
    >
      {platformLetters[platform]}
    </span>
  );
}
