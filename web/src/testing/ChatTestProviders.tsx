import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { MemoryRouter } from 'react-router-dom';
import { fakeChatServer } from '../../../packages/client/tests/fakeChatServer.ts';
import { fakeTimers } from '../../../packages/client/tests/fakeTimers.ts';
import { ChatContext } from '../chat/context/chatContext.ts';
import type { ChatContextValue } from '../chat/context/chatContext.ts';
import { openAccountDatabase } from '../chat/storage/accountDatabase.ts';
import { createChatEngine } from '@nolo/client/chat/chatEngine';
import { createDraftStore } from '@nolo/client/chat/drafts';
import { TestProviders } from './TestProviders.tsx';

/** Creates a chat of `me` with an in-memory server. It is not started, so that only the test's actions happen. */
export function testChat() {
  const server = fakeChatServer();
  const engine = createChatEngine({
    selfId: 'me',
    api: server.api,
    openSocket: server.openSocket,
    timers: fakeTimers().timers,
    newId: () => crypto.randomUUID(),
    failureOf: () => ({ passing: false, code: 'blocked', message: 'Blocked' }),
    onOtherFrame: () => {},
    onRefused: () => {},
  });
  const chat: ChatContextValue = {
    engine,
    drafts: createDraftStore('me', localStorage),
    places: new Map(),
    database: openAccountDatabase('me'),
  };
  const wrapper = ({ children }: { children: ReactNode }) => (
    <TestProviders>
      <QueryClientProvider client={new QueryClient()}>
        <MemoryRouter>
          <ChatContext value={chat}>{children}</ChatContext>
        </MemoryRouter>
      </QueryClientProvider>
    </TestProviders>
  );
  return { server, engine, chat, wrapper };
}
