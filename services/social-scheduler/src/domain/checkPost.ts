import { socialPlatformNames } from '@nolo/rules';
import { createSocialError, type SocialErrorCode } from '../errors.ts';
import type { PlatformId, PlatformLimits } from './platform.ts';
import type { PostFileFacts } from './ports.ts';

/** Reason why a platform cannot publish a post, and what it would accept. */
export interface PostFault {
  readonly code: SocialErrorCode;
  readonly message: string;
  readonly limit?: number | string;
}

export interface PlatformWithLimits {
  readonly id: PlatformId;
  readonly limits: PlatformLimits;
}

/** @param isReached true if the platform can fetch media from our addresses */
export function findPostFault(
  text: string,
  media: readonly PostFileFacts[],
  { id, limits }: PlatformWithLimits,
  isReached = true,
): PostFault | undefined {
  const name = socialPlatformNames[id];
  if (text.trim() === '' && media.length === 0) {
    return { code: 'post_empty', message: 'Please add some content to post' };
  }
  if (limits.measure(text) > limits.text) return createTooLongFault(limits.text);
  if (limits.needsMedia && media.length === 0) {
    return { code: 'post_media_missing', message: `${name} needs a picture or a video.` };
  }
  const faults = media.map(
    (file) => fileFault(file, name, limits) ?? (isReached ? undefined : reachFault(file, name, limits)),
  );
  return countFault(media, name, limits) ?? faults.find((fault) => fault !== undefined);
}

export const createTooLongFault = (limit: number): PostFault => ({
  code: 'post_too_long',
  message: `Message exceeds character limit (${limit} characters)`,
  limit,
});

function countFault(media: readonly PostFileFacts[], name: string, limits: PlatformLimits): PostFault | undefined {
  const videos = media.filter(({ kind }) => kind === 'video').length;
  const images = media.length - videos;
  const code = 'post_media_too_many';
  if (images > limits.images) {
    return { code, message: `${name} accepts at most ${limits.images} pictures per post.`, limit: limits.images };
  }
  if (videos > limits.videos) {
    return { code, message: `Maximum number of videos in a post to ${name}: ${limits.videos}.`, limit: limits.videos };
  }
  if (images === 0 || videos === 0 || limits.mixes) return undefined;
  return { code: 'post_media_mixed', message: `${name} accepts either pictures or a video in a post, not both.` };
}

function fileFault(file: PostFileFacts, name: string, limits: PlatformLimits): PostFault | undefined {
  const [types, max] =
    file.kind === 'video' ? [limits.videoTypes, limits.videoBytes] : [limits.imageTypes, limits.imageBytes];
  if (file.kind === 'other' || !types.includes(file.mimeType)) {
    const limit = [...limits.imageTypes, ...limits.videoTypes].join(', ');
    return { code: 'post_media_type', message: `${name} does not accept this file type. It accepts ${limit}.`, limit };
  }
  if (file.bytes > max) {
    const what = file.kind === 'video' ? 'videos' : 'pictures';
    const message = `${name} accepts ${what} of up to ${Math.floor(max / 1_000_000)} MB.`;
    return { code: 'post_media_too_large', message, limit: max };
  }
  return file.kind === 'image' ? shapeFault(file, name, limits) : undefined;
}

/** Checks the shape of a picture. The dimensions and length of videos are unknown here. */
function shapeFault({ width, height }: PostFileFacts, name: string, limits: PlatformLimits): PostFault | undefined {
  const { imageRatio, imagePixels } = limits;
  if (imagePixels !== undefined && width * height > imagePixels) {
    const message = `${name} accepts pictures of up to ${Math.floor(imagePixels / 1_000_000)} megapixels.`;
    return { code: 'post_media_pixels', message, limit: imagePixels };
  }
  if (!imageRatio || height === 0) return undefined;
  const [min, max] = imageRatio;
  // Sides are whole pixels, so a picture cropped to the limit may miss it by one.
  if ((width + 1) / height >= min && (width - 1) / height <= max) return undefined;
  const limit = `${min} to ${max}`;
  return { code: 'post_media_shape', message: `${name} accepts pictures with an aspect ratio of ${limit}.`, limit };
}

function reachFault({ kind }: PostFileFacts, name: string, { fetches }: PlatformLimits): PostFault | undefined {
  if (kind === 'other' || !fetches.includes(kind)) return undefined;
  const message = `${name} fetches pictures and videos itself and cannot reach this installation.`;
  return { code: 'post_media_unreachable', message };
}

/** Text and media of a post for all destinations. */
export interface PostContent {
  readonly text: string;
  readonly texts: Readonly<Partial<Record<PlatformId, string>>>;
  readonly media: readonly PostFileFacts[];
}

/** @throws AppError with the first fault, which names the platform and its limit. */
export function requirePostable(
  { text, texts, media }: PostContent,
  destinations: readonly PlatformWithLimits[],
  outOfReach: ReadonlySet<PlatformId>,
): void {
  for (const destination of destinations) {
    const { id } = destination;
    const fault = findPostFault(texts[id] ?? text, media, destination, !outOfReach.has(id));
    if (fault) throw createPostError(fault, id);
  }
}

export const createPostError = ({ code, message, limit }: PostFault, platform?: PlatformId) =>
  createSocialError('invalid', code, message, { limit, platform });
