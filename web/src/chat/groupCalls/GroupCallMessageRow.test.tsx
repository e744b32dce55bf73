/** @jest-environment jsdom */
import type { Message } from '@nolo/api';
import { cleanup, render, screen } from '@testing-library/react';
import { featureStore } from '../../session/features.ts';
import { testChat } from '../../testing/ChatTestProviders.tsx';
import { GroupCallMessageRow } from './GroupCallMessageRow.tsx';

afterEach(() => {
  cleanup();
  featureStore.setState({ features: {} });
});

async function show(durationSeconds: number | null) {
  const { server, engine, wrapper } = testChat();
  engine.addConversation(await server.api.getConversation('c1'));
  const content = JSON.stringify({ kind: 'group_call', durationSeconds, at: '2026-11-20T12:00:00.000Z' });
  const message: Message = { ...server.store('you', '', null), messageType: 'system', content };
  render(<GroupCallMessageRow message={message} going={durationSeconds === null} />, { wrapper });
}
const join = () => screen.queryByRole('button', { name: 'Join call' });

test('a call can be joined from its system message while it lasts, and no longer', async () => {
  featureStore.setState({ features: { calls: true } });
  await show(null);
  expect(await screen.findByText(/started a call$/)).toBeTruthy();
  expect(join()).toBeTruthy();
  cleanup();
  await show(90);
  expect(await screen.findByText(/that lasted 2 minutes$/)).toBeTruthy();
  expect(join()).toBeNull();
});

test('a call cannot be joined where meetings are unavailable', async () => {
  await show(null);
  expect(join()).toBeNull();
});
