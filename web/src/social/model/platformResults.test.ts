import type { SocialPost } from '@nolo/api';
import { platformResults } from './platformResults.ts';

type Delivery = SocialPost['deliveries'][number];

const at = (platform: Delivery['platform'], state: Delivery['state']) => ({ platform, state }) as Delivery;

test('several accounts at one platform count as one, which is done once all of them are', () => {
  const both = [at('facebook', 'published'), at('facebook', 'published'), at('mastodon', 'failed')];
  expect(platformResults(both)).toEqual({ done: 1, count: 2 });
  expect(platformResults([at('facebook', 'published'), at('facebook', 'failed')])).toEqual({ done: 0, count: 1 });
  expect(platformResults([])).toEqual({ done: 0, count: 0 });
});
