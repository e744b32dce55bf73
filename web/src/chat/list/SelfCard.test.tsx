/** @jest-environment jsdom */
import type { Self } from '@nolo/api';
import { cleanup, render, screen } from '@testing-library/react';
import { sessionStore } from '../../session/session.ts';
import { testChat } from '../../testing/ChatTestProviders.tsx';
import { SelfCard } from './SelfCard.tsx';

afterEach(cleanup);

function show(statusMessage: string) {
  const user = {
    id: 'me',
    displayName: 'Amara Dlamini',
    profileImageUrl: null,
    presenceStatus: 'online',
    statusMessage,
  };
  sessionStore.setState({ status: 'signedIn', user: user as Self });
  const { engine, wrapper } = testChat();
  engine.store.setState({ connection: 'open' });
  render(<SelfCard />, { wrapper });
  return screen.getByRole('button');
}

test('the card shows the person’s name and status message', () => {
  const card = show('At the sea until Monday');
  expect(card.textContent).toContain('Amara Dlamini');
  expect(card.textContent).toContain('At the sea until Monday');
});

test('the card shows the person’s presence without a status message', () => {
  expect(show('').textContent).toContain('Online');
});
