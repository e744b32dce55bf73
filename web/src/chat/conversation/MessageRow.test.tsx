/** @jest-environment jsdom */
import type { Message, Self } from '@nolo/api';
import { jest } from '@jest/globals';
import { act, cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { sessionStore } from '../../session/session.ts';
import { testChat } from '../../testing/ChatTestProviders.tsx';
import { joinMessageListEntries } from '@nolo/client/chat/entries';
import { toEntryBoundaries } from '@nolo/client/chat/entryBoundaries';
import type { RowOpening } from '@nolo/client/chat/rowOpening';
import { MessageRow } from './MessageRow.tsx';
import type { MessageRowProps } from './MessageRow.tsx';
import { MessageRowTextsContext, useCreateMessageRowTexts } from '../words/messageRowTexts.ts';

afterEach(cleanup);

function Row(props: MessageRowProps) {
  return (
    <MessageRowTextsContext value={useCreateMessageRowTexts()}>
      <MessageRow {...props} />
    </MessageRowTextsContext>
  );
}

function show(
  prepare: (server: ReturnType<typeof testChat>['server']) => void,
  props: Partial<MessageRowProps> = {},
  pending: Parameters<typeof joinMessageListEntries>[1] = [],
) {
  const { server, engine, wrapper } = testChat();
  // Mentions need the user's own name.
  sessionStore.getState().signedIn({ id: 'me', firstName: 'Mia', displayName: 'Mia Meyer' } as Self);
  prepare(server);
  const entries = joinMessageListEntries([...server.messages], pending, 'me');
  const entry = entries.at(-1)!;
  const handlers = { onRetry: jest.fn(), onDiscard: jest.fn() };
  render(
    <Row
      {...toEntryBoundaries(entries, entries.length - 1, null)}
      {...handlers}
      entry={entry}
      conversationId="c1"
      selfId="me"
      author={entry.senderId}
      several={false}
      delivery={null}
      position={entries.length}
      total={entries.length}
      menuOpen={false}
      selected={null}
      highlighted={false}
      {...props}
    />,
    { wrapper },
  );
  return { ...handlers, engine, article: screen.getByRole('article') };
}

test('a message shows its delivery state, and that it was edited', () => {
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

test('a deleted message leaves only the statement that it was deleted', () => {
  const { article } = show((server) => {
    server.store('you', 'secret', null);
    server.change('m1', { content: '', deletedAt: '2026-01-01T00:00:00.000Z' });
  });
  expect(article.textContent).toContain('This message was deleted');
});

test('a refused message shows the reason, and can be sent again or discarded', async () => {
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
  expect(screen.getByRole('alert').textContent).toContain('doesn’t accept messages');
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  expect(onRetry).toHaveBeenCalledWith('x');
  await user.click(screen.getByRole('button', { name: 'Delete' }));
  expect(onDiscard).toHaveBeenCalledWith('x');
});

test('the day and the unread marker are shown above a message', () => {
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

test('reactions appear below a message with their owners, and the person’s own as last requested', () => {
  const { engine, article } = show((server) => {
    server.store('you', 'The light!', null);
    server.change('m1', { reactions: [{ userId: 'you', emoji: '👍' }] });
  });
  const chip = () => screen.getByRole('button', { name: /👍 (2 )?by/ });
  expect(chip().getAttribute('aria-pressed')).toBe('false');
  act(() => engine.store.setState({ optimisticUpdates: { m1: { reaction: '👍' } } }));
  expect(chip().getAttribute('aria-pressed')).toBe('true');
  // The accessible name begins with the visible text, so that speech control users can press the button by saying it.
  expect(chip().textContent).toBe('👍2');
  expect(chip().getAttribute('aria-label')).toMatch(/^👍 2 by /);
  expect(article.contains(chip())).toBe(true);
});

test('mentioned people are highlighted, and the reader more so', () => {
  const { article } = show((server) => {
    server.store('you', 'Well done @Mia!', null);
    server.change('m1', { mentions: ['me'] });
  });
  expect(article.querySelector('[data-mention="self"]')?.textContent).toBe('@Mia Meyer');
});

test('a reply quotes what it answers, if that is known', () => {
  const { engine } = show((server) => {
    server.store('you', 'Shall we?', null);
    server.store('me', 'We shall', null);
    server.change('m2', { replyTo: { seq: 1, messageId: 'm1', senderId: 'you' } });
  });
  expect(screen.getByRole('button', { name: /Loading the original/ })).toBeTruthy();
  act(() => engine.store.setState({ originals: { c1: { 1: null } } }));
  expect(screen.getByRole('button', { name: /The original message isn’t available/ })).toBeTruthy();
});

test('a message shows that it is pinned, starred, forwarded and expiring', () => {
  const { engine, article } = show((server) => {
    server.store('you', 'Gate nine', null);
    server.change('m1', {
      forwarded: true,
      pinnedAt: '2026-01-01T00:00:00.000Z',
      expiresAt: '2030-01-01T00:00:00.000Z',
    });
  });
  act(() => engine.store.setState({ starred: { m1: true } }));
  for (const name of [/^Pinned$/, /^Starred$/, /^Disappears/]) expect(screen.getByRole('img', { name })).toBeTruthy();
  expect(article.textContent).toContain('Forwarded');
});

test('a message shows whether it is selected while messages are being selected', () => {
  const { article } = show((server) => void server.store('you', 'One', null), { selected: true });
  expect(article.getAttribute('aria-label')).toContain('Selected');
  expect(screen.queryByRole('button', { name: 'Message actions' })).toBeNull();
});

/** Opening of a sealed row, from the row itself. */
const opened = (opening: (row: Message) => RowOpening) => (server: ReturnType<typeof testChat>['server']) => {
  const row = server.store('you', 'secret', null);
  server.change('m1', { content: '', opening: opening(row) } as Partial<Message>);
};

test('a row that is being opened shows neither content nor a request to update', () => {
  const { article } = show(opened((row) => ({ state: 'closed', row })));
  expect(article.textContent).toContain('Being opened');
  expect(article.textContent).not.toContain('Update');
});

test('a deleted message says who deleted it, unless its author did', () => {
  const deleted = (by: string) => (server: ReturnType<typeof testChat>['server']) => {
    opened(() => ({ state: 'deleted', by, rowHash: 'row' }))(server);
    server.change('m1', { deletedAt: '2026-01-01T00:00:00.000Z' });
  };
  expect(show(deleted('me')).article.textContent).toContain('You deleted this message');
  cleanup();
  expect(show(deleted('you')).article.textContent).toContain('This message was deleted');
});

test('rows that wait for the key are one line, which explains itself on a press', async () => {
  const message = { key: 'm1' } as never;
  show(
    opened((row) => ({ state: 'waiting', row })),
    { run: { note: 'waiting', entries: [message, message] } },
  );
  await screen.findByText('2 messages are waiting for the key');
  const why = screen.getByRole('button', { name: 'Why?' });
  expect(why.getAttribute('aria-expanded')).toBe('false');
  await userEvent.click(why);
  expect(screen.getByText(/doesn’t have the key/).hidden).toBe(false);
});

test('late rows are shown on a press', async () => {
  const onUnfold = jest.fn();
  const message = { key: 'm1' } as never;
  show(
    opened((row) => ({ state: 'waiting', row })),
    { run: { note: 'late', entries: [message] }, onUnfold },
  );
  await userEvent.click(await screen.findByRole('button', { name: 'Show' }));
  expect(onUnfold).toHaveBeenCalledWith(['m1']);
});

test('a refused row says why', async () => {
  show(
    opened((row) => ({ state: 'waiting', row })),
    { run: { note: 'twice', entries: [{ key: 'm1' } as never] } },
  );
  expect(await screen.findByText('A message was refused. The same message came before.')).toBeTruthy();
});

test('a message that stands above one that its sender had seen is out of order', () => {
  const { article } = show(
    opened(() => ({ state: 'open', rowHash: 'row', sentAt: 0, late: false, outOfOrder: true, pinnedBy: null })),
  );
  expect(article.textContent).toContain('Out of order');
});

test('an approved message is its author’s, and says who approved it', () => {
  const opening = { state: 'open', rowHash: 'row', sentAt: 0, late: false, outOfOrder: false, pinnedBy: null } as const;
  const { article, engine } = show(opened(() => ({ ...opening, approvedBy: 'ada' })));
  const ada = { id: 'ada', firstName: 'Ada', displayName: 'Ada Example', profileImageUrl: null };
  act(() => engine.store.setState({ people: { ada } }));
  expect(article.textContent).toContain('Approved by Ada Example');
  cleanup();
  expect(show(opened(() => ({ ...opening, approvedBy: 'me' }))).article.textContent).toContain('Approved by you');
});
