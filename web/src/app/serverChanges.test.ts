import type { GroupChat } from '@nolo/api';
import { QueryClient } from '@tanstack/react-query';
import { createServerChangeRefetcher } from './serverChanges.ts';

test('the number of join requests is correct as soon as it is known', () => {
  const queryClient = new QueryClient();
  const key = ['groups', 'g1', 'info'];
  queryClient.setQueryData(key, { id: 'g1', requestCount: 1 } as GroupChat);
  const applyNews = createServerChangeRefetcher(queryClient);
  applyNews({ type: 'join_requests_changed', data: { conversationId: 'g1', count: 0 } } as never);
  applyNews({ type: 'join_requests_changed', data: { conversationId: 'g2', count: 3 } } as never);
  expect(queryClient.getQueryData(key)).toEqual({ id: 'g1', requestCount: 0 });
  expect(queryClient.getQueryData(['groups', 'g2', 'info'])).toBeUndefined();
});
