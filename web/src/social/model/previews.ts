import { cutText, type SocialPlatform } from '@nolo/rules';

/** Layout of posts on a platform, as far as it determines what is visible. */
export interface PreviewLayout {
  /** Characters before the rest is folded. Approximate, because the platforms publish no values. */
  readonly fold: number;
  /** True if pictures are above the text. */
  readonly mediaFirst?: boolean;
  /** True if pictures are shown one after another, all cropped to the shape of the first, instead of side by side. */
  readonly carousel?: boolean;
  /** Range of aspect ratios (width / height) in which a picture is shown uncropped. */
  readonly whole?: readonly [number, number];
  readonly squareAvatar?: boolean;
}

export const previewLayouts: Readonly<Record<SocialPlatform, PreviewLayout>> = {
  twitter: { fold: 280 },
  facebook: { fold: 480 },
  instagram: { fold: 125, mediaFirst: true, carousel: true, whole: [4 / 5, 1.91] },
  linkedin: { fold: 210 },
  threads: { fold: 500, carousel: true },
  mastodon: { fold: 500, squareAvatar: true },
  bluesky: { fold: 300 },
};

/** Returns the visible part of a text, cut at a word boundary if one is near. */
export function foldPreviewText(text: string, fold: number): { shown: string; hidden: boolean } {
  const cut = cutText(text, fold, 'codePoints');
  if (cut.length >= text.length) return { shown: text, hidden: false };
  const space = cut.search(/\s\S*$/);
  return { shown: space > fold * 0.8 ? cut.slice(0, space) : cut.trimEnd(), hidden: true };
}

/** Returns which sides of a picture are cropped. */
export function findCutSides(width: number, height: number, { whole }: PreviewLayout): 'none' | 'top' | 'sides' {
  if (!whole || height === 0) return 'none';
  const ratio = width / height;
  return ratio < whole[0] * 0.99 ? 'top' : ratio > whole[1] * 1.01 ? 'sides' : 'none';
}
