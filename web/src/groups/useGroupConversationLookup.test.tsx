/** @jest-environment jsdom */
import { jest } from '@jest/globals';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { testChat } from '../testing/ChatTestProviders.tsx';
import { useGroupConversationLookup } from './useGroupConversationLookup.ts';

const originalFetch = globalThis.fetch;
const failing = jest.fn(() => Promise.reject(new TypeError('Failed to fetch')));

afterEach(() => {
  globalThis.fetch = originalFetch;
});

test('a group that failed to load is requested again when the connection returns, and not repeatedly', async () => {
  globalThis.fetch = failing as typeof fetch;
  const { engine, wrapper: Wrapper } = testChat();
  // Skips the delays between retries.
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const wrapper = ({ children }: { children: ReactNode }) => (
    <Wrapper>
      <QueryClientProvider client={queries}>{children}</QueryClientProvider>
    </Wrapper>
  );
  act(() => engine.store.setState({ connection: 'open' }));
  const { result } = renderHook(() => useGroupConversationLookup('01a21cd3-1406-727f-bced-513b4a86ec42'), { wrapper });
  await waitFor(() => expect(result.current.state).toBe('failed'));
  expect(failing).toHaveBeenCalledTimes(1);

  act(() => engine.store.setState({ connection: 'reconnecting' }));
  act(() => engine.store.setState({ connection: 'open' }));
  await waitFor(() => expect(failing).toHaveBeenCalledTimes(2));
});
