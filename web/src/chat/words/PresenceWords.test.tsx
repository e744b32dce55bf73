/** @jest-environment jsdom */
import { cleanup, render } from '@testing-library/react';
import { TestProviders } from '../../testing/TestProviders.tsx';
import { PresenceWords } from './PresenceWords.tsx';

afterEach(cleanup);

const words = (lastSeenAt: Date | undefined, presenceStatus: 'online' | 'offline' = 'offline') => {
  const shown = { presenceStatus, ...(lastSeenAt && { lastSeenAt: lastSeenAt.toISOString() }) };
  return render(<PresenceWords {...shown} />, { wrapper: TestProviders }).container.textContent;
};
const at = (days: number) => {
  const date = new Date();
  date.setDate(date.getDate() - days);
  date.setHours(0, 5, 0, 0);
  return date;
};

test('an offline person was last seen today, yesterday or on a date, if that is shared', () => {
  expect(words(at(0))).toMatch(/^Last seen today at (00|12):05/);
  expect(words(at(1))).toMatch(/^Last seen yesterday at (00|12):05/);
  expect(words(at(40))).toMatch(/^Last seen on \w+ \w+$/);
  expect(words(undefined)).toBe('Offline');
  expect(words(at(1), 'online')).toBe('Online');
});
