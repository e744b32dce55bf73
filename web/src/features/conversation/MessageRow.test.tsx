/** @jest-environment jsdom */
import { jest } from '@jest/globals';
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { testChat } from '../../testing/ChatTestProviders.tsx';
import { joinEntries, placeOf } from './entries.ts';
import { MessageRow } from './MessageRow.tsx';
import type { MessageRowProps } from './MessageRow.tsx';

afterEach(cleanup);

function show(
  prepare: (server: ReturnType<typeof testChat>['server']) => void,
  props: Partial<MessageRowProps> = {},
  pending: Parameters<typeof joinEntries>[1] = [],
) {
  const { server, wrapper } = testChat();
  prepare(server);
  const entries = joinEntries([...server.messages], pending, 'me');
  const entry = entries.at(-1)!;
  const handlers = { onRetry: jest.fn(), onDiscard: jest.fn() };
  render(
    <MessageRow
      {...placeOf(entries, entries.length - 1, null, false)}
      {...handlers}
      entry={entry}
      own={entry.senderId === 'me'}
      author={entry.senderId}
      delivery={null}
      position={entries.length}
      total={entries.length}
      menuOpen={false}
      {...props}
    />,
    { wrapper },
  );
  return { ...handlers, article: screen.getByRole('article') };
}

test('a message says how far it got, and that it was changed', () => {
  const { article } = show(
    (server) => {
      server.store('me', 'See https://example.org.', null);
      server.change('m1', { editedAt: '2026-01-01T00:00:00.000Z' });
    },
    { delivery: 'read' },
  );
  expect(screen.getByRole('img', { name: 'Read' })).toBeTruthy();
  expect(article.textContent).toContain('Edited');
  const link = screen.getByRole('link', { name: 'https://example.org' });
  expect(link.getAttribute('rel')).toContain('noopener');
  expect(link.getAttribute('href')).toBe('https://example.org/');
});

test('nothing is left of a deleted message but that it was', () => {
  const { article } = show((server) => {
    server.store('you', 'secret', null);
    server.change('m1', { content: '', deletedAt: '2026-01-01T00:00:00.000Z' });
  });
  expect(article.textContent).toContain('This message was deleted');
});

test('a refused message says why, and can be sent again or thrown away', async () => {
  const user = userEvent.setup();
  const pending = [
    {
      clientMessageId: 'x',
      content: 'hi',
      createdAt: 0,
      state: 'failed' as const,
      reason: { code: 'blocked', message: 'B' },
    },
  ];
  const { onRetry, onDiscard } = show(() => {}, {}, pending);
  expect(screen.getByRole('alert').textContent).toContain('does not accept messages');
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  expect(onRetry).toHaveBeenCalledWith('x');
  await user.click(screen.getByRole('button', { name: 'Delete' }));
  expect(onDiscard).toHaveBeenCalledWith('x');
});

test('day and unread marker stand above', () => {
  show((server) => void server.store('you', 'hello', null), { startsUnread: true });
  const [day, marker, article] = [
    screen.getByText(/2023/),
    screen.getByText('New messages'),
    screen.getByRole('article'),
  ];
  expect(day.compareDocumentPosition(marker)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  expect(marker.compareDocumentPosition(article)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
});

test('markup in a message is text', () => {
  const { article } = show((server) => void server.store('you', '<img src=x onerror=alert(1)>', null));
  expect(article.querySelector('img')).toBeNull();
  expect(article.textContent).toContain('<img src=x onerror=alert(1)>');
});
