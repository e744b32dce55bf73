import { isAppError } from '@nolo/kit/errors';
import { platformLimits } from '../platforms/createPlatforms.ts';
import { findPostFault, requirePostable, type PostFault } from './checkPost.ts';
import type { PlatformId } from './platform.ts';
import type { PostFileFacts } from './ports.ts';

const at = (id: PlatformId) => ({ id, limits: platformLimits[id] });
const picture = (more: Partial<PostFileFacts> = {}): PostFileFacts => ({
  kind: 'image',
  mimeType: 'image/jpeg',
  bytes: 200_000,
  width: 1_080,
  height: 1_080,
  ...more,
});
const video = (more: Partial<PostFileFacts> = {}): PostFileFacts =>
  picture({ kind: 'video', mimeType: 'video/mp4', bytes: 8_000_000, width: 0, height: 0, ...more });
const pictures = (count: number) => Array.from({ length: count }, () => picture());

test('a post must have text or media, within the limits of the platform', () => {
  expect(findPostFault(' \n', [], at('twitter'))?.code).toBe('post_empty');
  expect(findPostFault('', [picture()], at('twitter'))).toBeUndefined();
  expect(findPostFault('a'.repeat(281), [], at('twitter'))).toMatchObject({ code: 'post_too_long', limit: 280 });
  expect(findPostFault('hello', [], at('instagram'))?.code).toBe('post_media_missing');
});

test.each<[PlatformId, string, PostFileFacts[], PostFault['code'] | undefined, PostFault['limit']]>([
  ['twitter', 'five pictures', pictures(5), 'post_media_too_many', 4],
  ['twitter', 'two videos', [video(), video()], 'post_media_too_many', 1],
  ['twitter', 'a 5 MiB picture', [picture({ bytes: 5_242_880 })], undefined, undefined],
  ['twitter', 'a picture over 5 MiB', [picture({ bytes: 5_242_881 })], 'post_media_too_large', 5_242_880],
  ['facebook', 'a picture alongside a video', [picture(), video()], 'post_media_mixed', undefined],
  ['instagram', 'a picture alongside a video', [picture(), video()], undefined, undefined],
  [
    'instagram',
    'a PNG',
    [picture({ mimeType: 'image/png' })],
    'post_media_type',
    'image/jpeg, video/mp4, video/quicktime',
  ],
  ['instagram', '4:5', [picture({ width: 1_080, height: 1_350 })], undefined, undefined],
  ['instagram', '1.91:1', [picture({ width: 1_080, height: 565 })], undefined, undefined],
  ['instagram', '9:16', [picture({ width: 1_080, height: 1_920 })], 'post_media_shape', '0.8 to 1.91'],
  ['instagram', '2:1', [picture({ width: 2_000, height: 1_000 })], 'post_media_shape', '0.8 to 1.91'],
  ['instagram', 'a large video', [video({ bytes: 300 * 1_048_576 + 1 })], 'post_media_too_large', 300 * 1_048_576],
  ['linkedin', '48 megapixels', [picture({ width: 8_000, height: 6_000 })], 'post_media_pixels', 36_152_320],
  ['threads', 'a strip', [picture({ width: 3_000, height: 200 })], 'post_media_shape', '0.1 to 10'],
  [
    'mastodon',
    'a document',
    [picture({ kind: 'other', mimeType: 'application/pdf' })],
    'post_media_type',
    expect.any(String),
  ],
  ['mastodon', 'a recorded video', [video({ mimeType: 'video/webm' })], undefined, undefined],
  ['bluesky', 'a 1 MB picture', [picture({ bytes: 1_000_001 })], 'post_media_too_large', 1_000_000],
])('checks for %s: %s', (id, _, media, code, limit) => {
  const fault = findPostFault('hello', media, at(id));
  expect([fault?.code, fault?.limit]).toEqual([code, limit]);
});

test('platforms that fetch media themselves must be able to reach us, but only for that media', () => {
  const codeOf = (id: PlatformId, media: PostFileFacts[]) => findPostFault('hello', media, at(id), false)?.code;
  expect(codeOf('instagram', [picture()])).toBe('post_media_unreachable');
  expect(codeOf('facebook', [video()])).toBe('post_media_unreachable');
  expect(codeOf('facebook', [picture()])).toBeUndefined();
  expect(codeOf('threads', [])).toBeUndefined();
});

test('the text for each platform is checked against its limits, and the refusal names the platform', () => {
  const text = 'a'.repeat(400);
  const destinations = [at('mastodon'), at('twitter')];
  const refusal = (texts: object) => {
    try {
      requirePostable({ text, texts, media: [] }, destinations, new Set());
    } catch (error) {
      if (isAppError(error)) return [error.kind, error.code, error.details];
      throw error;
    }
    return undefined;
  };
  expect(refusal({})).toEqual(['invalid', 'post_too_long', { limit: 280, platform: 'twitter' }]);
  expect(refusal({ twitter: 'short' })).toBeUndefined();
});
