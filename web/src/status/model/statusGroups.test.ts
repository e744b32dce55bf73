import type { StatusUpdate } from '@nolo/api';
import { countAuthorsWithUnviewed, groupStatuses, findNextStatusExpiry } from './statusGroups.ts';

const now = Date.parse('2026-11-23T08:00:00Z');

function status(id: string, userId: string, changes: Partial<StatusUpdate> = {}): StatusUpdate {
  return {
    id,
    userId,
    user: { id: userId, firstName: userId, lastName: '', displayName: userId, profileImageUrl: null },
    mediaType: 'text',
    content: id,
    backgroundColor: '#075E54',
    textColor: '#FFFFFF',
    font: 'Arial',
    duration: null,
    mediaInfo: null,
    encryption: 'none',
    mediaUrl: null,
    previewUrl: null,
    clientStatusId: null,
    createdAt: new Date(now - 3_600_000).toISOString(),
    expiresAt: new Date(now + 3_600_000).toISOString(),
    viewCount: 0,
    hasViewed: false,
    isMuted: false,
    audience: null,
    ...changes,
  };
}

const all = [
  status('mine', 'self'),
  status('a1', 'ada', { hasViewed: true }),
  status('a2', 'ada', { hasViewed: true }),
  status('b1', 'ben', { hasViewed: true }),
  status('b2', 'ben'),
  status('c1', 'cleo', { isMuted: true }),
  status('over', 'dora', { expiresAt: new Date(now).toISOString() }),
];

test('groups by author, unviewed ones first, muted ones apart, and nothing that has expired', () => {
  const { own, recent, muted } = groupStatuses(all, 'self', now);
  expect(own.map(({ id }) => id)).toEqual(['mine']);
  expect(recent.map(({ author, statuses, unviewed }) => [author.id, statuses.map(({ id }) => id), unviewed])).toEqual([
    ['ben', ['b1', 'b2'], 1],
    ['ada', ['a1', 'a2'], 0],
  ]);
  expect(muted.map(({ author }) => author.id)).toEqual(['cleo']);
});

test('the badge counts people, and neither muted ones nor the person themselves', () => {
  expect(countAuthorsWithUnviewed(groupStatuses(all, 'self', now))).toBe(1);
});

test('the next expiry is the earliest one still to come', () => {
  expect(findNextStatusExpiry(all, now)).toBe(now + 3_600_000);
  expect(findNextStatusExpiry(all, now + 3_600_000)).toBeUndefined();
});
