import type { StatusUpdate } from '@nolo/api';
import { toStatusQuote, readStatusQuote } from './statusQuote.ts';

const picture = '/objects/0199aaaa-0000-7000-8000-000000000001';
const status = {
  id: 'one',
  userId: 'ada',
  mediaType: 'image',
  content: 'x'.repeat(500),
  backgroundColor: '#075E54',
  textColor: '#FFFFFF',
  font: 'Georgia',
  mediaUrl: picture,
  previewUrl: null,
  expiresAt: '2026-11-24T08:00:00.000Z',
} as StatusUpdate;

test('a quote is read as it was written, and a long one is shortened', () => {
  const quote = toStatusQuote(status);
  expect(readStatusQuote({ status: quote })).toEqual(quote);
  expect(quote.content).toHaveLength(200);
  expect(quote.pictureUrl).toBe(picture);
});

test.each([
  undefined,
  {},
  { status: 'one' },
  { status: null },
  { status: { ...toStatusQuote(status), mediaType: 'sound' } },
  { status: { ...toStatusQuote(status), backgroundColor: 'red' } },
  { status: { ...toStatusQuote(status), expiresAt: 'soon' } },
  { status: { ...toStatusQuote(status), content: 5 } },
])('%j is not a quote', (extra) => {
  expect(readStatusQuote(extra)).toBeNull();
});

test.each(['https://elsewhere.example/x.png', '//elsewhere.example/x', '/api/auth/user', 7])(
  'a quote fetches nothing from %s',
  (pictureUrl) => {
    expect(readStatusQuote({ status: { ...toStatusQuote(status), pictureUrl } })?.pictureUrl).toBeNull();
  },
);
