import { cutText } from '@nolo/rules';
import type { SocialPlatform } from '@nolo/rules';

/** How a platform shows a post, as far as that decides what of it is seen. */
export interface PreviewLook {
  /** Characters until the rest hides behind a press; the platforms publish none, so these are about right. */
  readonly fold: number;
  /** Pictures stand above the words. */
  readonly mediaFirst?: boolean;
  /** One picture after the other, all cut to the first one's shape, instead of side by side. */
  readonly carousel?: boolean;
  /** Width by height between which a picture is shown whole. */
  readonly whole?: readonly [number, number];
  readonly squareAvatar?: boolean;
}

export const previewLooks: Readonly<Record<SocialPlatform, PreviewLook>> = {
  twitter: { fold: 280 },
  facebook: { fold: 480 },
  instagram: { fold: 125, mediaFirst: true, carousel: true, whole: [4 / 5, 1.91] },
  linkedin: { fold: 210 },
  threads: { fold: 500, carousel: true },
  mastodon: { fold: 500, squareAvatar: true },
  bluesky: { fold: 300 },
};

/** What stands before the press, cut at a word where there is one near. */
export function folded(text: string, fold: number): { shown: string; hidden: boolean } {
  const cut = cutText(text, fold, 'codePoints');
  if (cut.length >= text.length) return { shown: text, hidden: false };
  const space = cut.search(/\s\S*$/);
  return { shown: space > fold * 0.8 ? cut.slice(0, space) : cut.trimEnd(), hidden: true };
}

/** Which sides of a picture are cut off where it is shown. */
export function cutSides(width: number, height: number, { whole }: PreviewLook): 'none' | 'top' | 'sides' {
  if (!whole || height === 0) return 'none';
  const ratio = width / height;
  return ratio < whole[0] * 0.99 ? 'top' : ratio > whole[1] * 1.01 ? 'sides' : 'none';
}
