/** @jest-environment jsdom */
import type { SocialDelivery, SocialPost } from '@nolo/api';
import { jest } from '@jest/globals';
import { cleanup, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { TestProviders } from '../testing/TestProviders.tsx';
import { PostCard } from './PostCard.tsx';
import enSocial from '../../locales/en/social.json' with { type: 'json' };

const user = userEvent.setup({ delay: null, pointerEventsCheck: 0 });
const onAct = jest.fn();
const onReconnect = jest.fn();
const onReview = jest.fn();

const delivery = (overrides: Partial<SocialDelivery>): SocialDelivery => ({
  id: 'one',
  platform: 'linkedin',
  accountId: 'account',
  accountName: 'Ada Adams',
  state: 'published',
  reason: null,
  retryAt: null,
  url: null,
  publishedAt: null,
  ...overrides,
});

function show(state: SocialPost['state'], ...deliveries: SocialDelivery[]): void {
  const post: SocialPost = {
    id: 'post',
    content: 'At the sea',
    texts: {},
    media: [],
    mediaCount: 0,
    state,
    scheduledAt: null,
    localTime: null,
    timeZone: null,
    createdAt: '2027-03-01T10:00:00.000Z',
    platforms: [],
    accountIds: [],
    deliveries,
  };
  render(<PostCard post={post} onAct={onAct} onReconnect={onReconnect} onReview={onReview} />, {
    wrapper: TestProviders,
  });
}

afterEach(() => {
  cleanup();
  jest.clearAllMocks();
});

test.each([
  [enSocial.wentOut, true],
  [enSocial.sendIt, false],
])('a post that may have been published is settled with one press: %s', async (button, wentOut) => {
  show('needs_review', delivery({ state: 'needs_review', reason: 'unknown' }));
  expect(screen.getByText(new RegExp(enSocial.reasons.unknown))).toBeTruthy();
  await user.click(screen.getByRole('button', { name: button }));
  expect(onReview).toHaveBeenCalledWith(expect.objectContaining({ id: 'post' }), 'one', wentOut);
});

test('only the failed account shows it, and can be reconnected if that helps', async () => {
  show(
    'failed',
    delivery({ id: 'two', platform: 'mastodon' }),
    delivery({ id: 'three', platform: 'bluesky', state: 'failed', reason: 'authentication_expired' }),
  );
  const card = within(screen.getByRole('article'));
  expect(card.getAllByRole('button', { name: enSocial.reconnect })).toHaveLength(1);
  await user.click(card.getByRole('button', { name: enSocial.reconnect }));
  expect(onReconnect).toHaveBeenCalledWith('bluesky');
});

test('a failure that reconnecting does not fix does not offer it', () => {
  show('failed', delivery({ state: 'failed', reason: 'duplicate' }));
  expect(screen.queryByRole('button', { name: enSocial.reconnect })).toBeNull();
});

test('a platform that is being retried shows when, and has not failed yet', () => {
  show('publishing', delivery({ state: 'waiting', reason: 'unreachable', retryAt: '2027-03-01T10:05:00.000Z' }));
  const words = screen.getByText(new RegExp(enSocial.reasons.unreachable));
  expect(words.textContent).toMatch(/Next try: .*2027/);
  expect(words.parentElement?.className).not.toContain('danger');
});
