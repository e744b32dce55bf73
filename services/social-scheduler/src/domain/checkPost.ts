import type { PlatformId, PlatformLimits } from './platform.ts';

/** Why a post cannot go out at a platform. */
export type PostFault = 'empty' | 'too_long' | 'media_missing' | 'too_many_images' | 'too_many_videos';

/** What can be told of media before its bytes are looked at. */
export interface MediaCount {
  readonly images: number;
  readonly videos: number;
}

export function faultOf(text: string, media: MediaCount, limits: PlatformLimits): PostFault | undefined {
  const count = media.images + media.videos;
  if (text.trim() === '' && count === 0) return 'empty';
  if (limits.measure(text) > limits.text) return 'too_long';
  if (limits.needsMedia && count === 0) return 'media_missing';
  if (media.images > limits.images) return 'too_many_images';
  return media.videos > limits.videos ? 'too_many_videos' : undefined;
}

/** The faults of a post at each platform it goes to. */
export function faultsOf(
  post: { text: string; texts: Readonly<Partial<Record<PlatformId, string>>> },
  media: MediaCount,
  platforms: readonly { id: PlatformId; limits: PlatformLimits }[],
): { platform: PlatformId; fault: PostFault; limit: number }[] {
  return platforms.flatMap(({ id, limits }) => {
    const fault = faultOf(post.texts[id] ?? post.text, media, limits);
    return fault ? [{ platform: id, fault, limit: limits.text }] : [];
  });
}
