import { instagramLimits } from '../platforms/instagram.ts';
import { mastodonLimits } from '../platforms/mastodon.ts';
import { xLimits } from '../platforms/x.ts';
import { faultOf, faultsOf } from './checkPost.ts';

const none = { images: 0, videos: 0 };

test('a post has words or media, and as much of both as the platform takes', () => {
  expect(faultOf(' \n', none, xLimits)).toBe('empty');
  expect(faultOf('', { images: 1, videos: 0 }, xLimits)).toBeUndefined();
  expect(faultOf('a'.repeat(281), none, xLimits)).toBe('too_long');
  expect(faultOf('hello', none, instagramLimits)).toBe('media_missing');
  expect(faultOf('hello', { images: 5, videos: 0 }, xLimits)).toBe('too_many_images');
  expect(faultOf('hello', { images: 0, videos: 2 }, xLimits)).toBe('too_many_videos');
});

test('every platform is asked about the text that it gets', () => {
  const platforms = [
    { id: 'twitter' as const, limits: xLimits },
    { id: 'mastodon' as const, limits: mastodonLimits },
  ];
  const text = 'a'.repeat(400);
  expect(faultsOf({ text, texts: {} }, none, platforms)).toEqual([
    { platform: 'twitter', fault: 'too_long', limit: 280 },
  ]);
  expect(faultsOf({ text, texts: { twitter: 'short' } }, none, platforms)).toEqual([]);
});
