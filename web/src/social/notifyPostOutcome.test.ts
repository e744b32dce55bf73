import type { SocialDelivery, SocialPost } from '@nolo/api';
import { createI18n } from '../i18n/i18n.ts';
import { toasts } from '../ui/toasts.ts';
import { notifyPostOutcome } from './notifyPostOutcome.ts';

const i18n = createI18n();
const delivery = (platform: SocialDelivery['platform'], state: SocialDelivery['state']) =>
  ({ platform, state }) as SocialDelivery;
const post = (overrides: Partial<SocialPost>): SocialPost =>
  ({ content: 'At the sea', scheduledAt: '2027-03-01T10:00:00.000Z', deliveries: [], ...overrides }) as SocialPost;
const shown = () => toasts.getState().toasts.map(({ title, description }) => [title, description]);

/** Returns the notifications shown after an event about a post. */
async function after(id: string, state: SocialPost['state'], found: SocialPost): Promise<unknown[]> {
  await notifyPostOutcome({ postId: id, state }, { i18n, loadPost: () => Promise.resolve(found) });
  return shown();
}

beforeEach(() => toasts.setState({ toasts: [] }));

test('a post published at its time is reported, once', async () => {
  expect(await after('one', 'publishing', post({}))).toEqual([]);
  expect(await after('one', 'published', post({}))).toEqual([['Your post was published', 'At the sea']]);
  toasts.setState({ toasts: [] });
  expect(await after('one', 'published', post({}))).toEqual([]);
});

test('a failed post reports how many platforms it reached', async () => {
  // Two accounts at one platform count as one platform.
  const deliveries = [
    delivery('bluesky', 'published'),
    delivery('facebook', 'published'),
    delivery('facebook', 'failed'),
  ];
  expect(await after('two', 'failed', post({ deliveries }))).toEqual([
    ['A scheduled post failed', 'Posted to 1 out of 2 platforms'],
  ]);
  expect(await after('three', 'needs_review', post({ deliveries }))).toEqual([
    ['A scheduled post needs review', 'Posted to 1 out of 2 platforms'],
  ]);
});

test('a post published at once is left to the dialog that sends it', async () => {
  expect(await after('four', 'published', post({ scheduledAt: null }))).toEqual([]);
});
