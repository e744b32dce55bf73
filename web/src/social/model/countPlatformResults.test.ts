import type { SocialPost } from '@nolo/api';
import { countPlatformResults } from './countPlatformResults.ts';

type Delivery = SocialPost['deliveries'][number];

const at = (platform: Delivery['platform'], state: Delivery['state']) => ({ platform, state }) as Delivery;

test('several accounts at one platform count as one, which is done once all of them are', () => {
  const both = [at('facebook', 'published'), at('facebook', 'published'), at('mastodon', 'failed')];
  expect(countPlatformResults(both)).toEqual({ done: 1, count: 2 });
  expect(countPlatformResults([at('facebook', 'published'), at('facebook', 'failed')])).toEqual({ done: 0, count: 1 });
  expect(countPlatformResults([])).toEqual({ done: 0, count: 0 });
});
