/** @jest-environment jsdom */
import type { Conversation, GroupMember } from '@nolo/api';
import { nextCursorHeader } from '@nolo/api';
import { limits } from '@nolo/rules';
import { jest } from '@jest/globals';
import { cleanup, configure, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { useState } from 'react';
import { VirtuosoMockContext } from 'react-virtuoso';
import { sessionStore } from '../session/session.ts';
import { testChat } from '../testing/ChatTestProviders.tsx';
import { testUser } from '../testing/testMeeting.ts';
import { MessageDetailsDialog } from '../chat/conversation/MessageDetailsDialog.tsx';
import { MemberList } from './MemberList.tsx';
import { MemberPicker } from './MemberPicker.tsx';
import type { ListedPerson } from '../chat/groupCalls/person.ts';

// Hundreds of people take time on a busy machine, and checking each element's visibility would take more.
configure({ asyncUtilTimeout: 10_000, defaultHidden: true });
const user = userEvent.setup({ delay: null, pointerEventsCheck: 0 });

const size = limits.groupMembersMax;
const names = Array.from({ length: size }, (_, index) => `Person ${String(index).padStart(3, '0')}`);
const members = names.map((name, index): GroupMember => {
  const person = testUser(name);
  const common = { role: 'member', changeSeq: 1, joinedAt: '2026-05-04T08:00:00.000Z', leftAt: null } as const;
  return { ...common, user: person, userId: person.id, deliveredSeq: 9, readSeq: index % 2 === 0 ? 9 : 0 };
});

const originalFetch = globalThis.fetch;
const requests: string[] = [];

/** Returns pages of the requested size, with the position of the next page as the cursor. */
function answerPages(rows: readonly unknown[]): void {
  globalThis.fetch = jest.fn((address: unknown) => {
    requests.push(String(address));
    const { searchParams } = new URL(String(address), 'https://nolo.test');
    const from = Number(searchParams.get('cursor') ?? 0);
    const to = from + Number(searchParams.get('limit'));
    const headers = new Headers(to < rows.length ? { [nextCursorHeader]: String(to) } : {});
    const page = rows.slice(from, to);
    const text = () => Promise.resolve(JSON.stringify(page));
    return Promise.resolve({ ok: true, status: 200, headers, text, json: () => Promise.resolve(page) } as Response);
  }) as typeof fetch;
}

function show(children: ReactNode) {
  const { wrapper: Wrapper, engine } = testChat();
  render(
    <Wrapper>
      <VirtuosoMockContext value={{ viewportHeight: 600, itemHeight: 56 }}>
        <div className="overflow-y-auto">{children}</div>
      </VirtuosoMockContext>
    </Wrapper>,
  );
  return engine;
}

const large = async () => {
  const { server } = testChat();
  const row = await server.api.getConversation('c1');
  return { ...row, type: 'group', memberCount: size, members: [] } as Conversation;
};

beforeEach(() => {
  requests.length = 0;
  sessionStore.setState({ user: { ...testUser('Me'), id: 'me', shareReceipts: true } as never });
  AbortSignal.timeout ??= () => new AbortController().signal;
  AbortSignal.any ??= ([first]) => first as AbortSignal;
});
afterEach(() => {
  cleanup();
  globalThis.fetch = originalFetch;
});

test('only the members near the screen are rendered of 500', async () => {
  answerPages(members);
  show(<MemberList conversation={await large()} onAct={() => {}} />);
  await waitFor(() => expect(requests).toHaveLength(size / limits.groupMembersPerPage));
  expect(await screen.findByText('Person 000')).toBeTruthy();
  expect(screen.getAllByRole('listitem')).toHaveLength(6);
  await user.click(screen.getByText(`Show all ${size} members`));
  expect(screen.getAllByRole('listitem').length).toBeLessThan(40);
  await user.type(screen.getByRole('searchbox'), '499');
  expect(await screen.findByText('Person 499')).toBeTruthy();
});

test('contacts and selected people are also rendered only near the screen', async () => {
  answerPages(
    names.map((name) => ({
      ...testUser(name),
      userId: testUser(name).id,
      presenceStatus: 'offline',
      isBlocked: false,
    })),
  );
  function Example() {
    const [chosen, setChosen] = useState<readonly ListedPerson[]>(names.slice(-100).map(testUser));
    return <MemberPicker chosen={chosen} onChange={setChosen} excluded={new Set()} />;
  }
  show(<Example />);
  expect(await screen.findByText('Person 000')).toBeTruthy();
  expect(screen.getAllByRole('checkbox').length).toBeLessThan(40);
  expect(screen.getByText('Person 499')).toBeTruthy();
  expect(screen.queryByText('Person 400')).toBeNull();
  const [allChosen] = screen.getAllByText('Show more');
  await user.click(allChosen as HTMLElement);
  expect(screen.getByText('Person 400')).toBeTruthy();
});

test('the people who read a message are shown fifty at a time', async () => {
  answerPages(members);
  const conversation = await large();
  const { server } = testChat();
  const message = server.store('me', 'Hello', null);
  show(<MessageDetailsDialog message={message} conversation={conversation} onClose={() => {}} />);
  const more = await screen.findAllByText('Show more');
  await waitFor(() => expect(requests).toHaveLength(size / limits.groupMembersPerPage));
  expect(screen.getAllByRole('listitem')).toHaveLength(100);
  await user.click(more[0] as HTMLElement);
  expect(screen.getAllByRole('listitem')).toHaveLength(150);
});
