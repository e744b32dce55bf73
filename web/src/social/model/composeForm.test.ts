import type { SocialPlatformState } from '@nolo/api';
import type { ComposeForm } from './composeForm.ts';
import { toPostBody, createComposeForm, findComposeProblem } from './composeForm.ts';

const now = new Date(2027, 2, 1, 12, 30);
const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
const x: SocialPlatformState = {
  id: 'twitter',
  name: 'X',
  connected: true,
  offered: true,
  connectBy: 'window',
  servers: [],
  accounts: [],
  limits: {
    text: 280,
    needsMedia: false,
    images: 1,
    imageTypes: ['image/png'],
    imageBytes: 1_000,
    videos: 1,
    videoTypes: ['video/mp4'],
    videoBytes: 1_000,
    altText: 1_000,
  },
};
const instagram: SocialPlatformState = {
  ...x,
  id: 'instagram',
  name: 'Instagram',
  limits: { ...x.limits, needsMedia: true },
};
const file = (name: string, type = 'image/png', bytes = 10) => ({
  url: `/objects/${name}`,
  name,
  type,
  bytes,
  altText: '',
});
const written = (overrides: Partial<ComposeForm>): ComposeForm => ({
  ...createComposeForm(now, timeZone, 'post', 'Hello'),
  platforms: ['twitter'],
  ...overrides,
});

test.each<[string, Partial<ComposeForm>, ReturnType<typeof findComposeProblem>]>([
  ['a text', {}, null],
  ['nothing but spaces', { content: ' \n' }, { kind: 'content' }],
  ['only a picture', { content: '', media: [file('a')] }, null],
  ['no platform', { platforms: [] }, { kind: 'platform' }],
  ['more than a platform accepts', { content: 'x'.repeat(281) }, { kind: 'tooLong', count: 280, platform: 'X' }],
  ['a different text there', { content: 'x'.repeat(281), texts: { twitter: 'short' } }, null],
  ['no picture where one is required', { platforms: ['instagram'] }, { kind: 'needsMedia', platform: 'Instagram' }],
  ['too many pictures', { media: [file('a'), file('b')] }, { kind: 'images', platform: 'X', count: 1 }],
  ['a type that is not accepted', { media: [file('a', 'image/gif')] }, { kind: 'type', platform: 'X', name: 'a' }],
  ['a large video', { media: [file('a', 'video/mp4', 1_001)] }, { kind: 'size', platform: 'X', name: 'a' }],
  ['a time in the past', { later: true, date: '2027-03-01', time: '12:30' }, { kind: 'whenPast' }],
  ['a time in the future', { later: true, date: '2027-03-01', time: '12:31' }, null],
  ['no time', { later: true, time: '' }, { kind: 'whenMissing' }],
])('checks the form: %s', (_, overrides, problem) => {
  expect(findComposeProblem(written(overrides), [x, instagram], now)).toEqual(problem);
});

test('a scheduled post is sent with its local time and zone, and only with the texts of chosen platforms', () => {
  const form = written({
    content: ' Hello ',
    texts: { twitter: 'Hi', threads: 'Hey' },
    later: true,
    media: [file('a')],
  });
  expect(toPostBody(form)).toEqual({
    content: 'Hello',
    texts: { twitter: 'Hi' },
    platforms: ['twitter'],
    media: [{ url: '/objects/a', altText: '' }],
    scheduledAt: '2027-03-01T13:00',
    timeZone,
  });
  expect(toPostBody({ ...form, later: false })).not.toHaveProperty('scheduledAt');
});
