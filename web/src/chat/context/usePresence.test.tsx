/** @jest-environment jsdom */
import { act, cleanup, render, screen } from '@testing-library/react';
import { testChat } from '../../testing/ChatTestProviders.tsx';
import { PresenceWords } from '../words/PresenceWords.tsx';
import { usePresence } from './chatContext.ts';

afterEach(cleanup);

const ben = { id: 'ben', presenceStatus: 'online', statusMessage: '' } as const;

function Words({ lastSeenAt }: { lastSeenAt?: string }) {
  const presence = usePresence({ ...ben, ...(lastSeenAt !== undefined && { lastSeenAt }) });
  return (
    <p role="note">
      <PresenceWords {...presence} />
    </p>
  );
}

const getPresenceText = () => screen.getByRole('note').textContent;

test('a disconnected device shows nobody as offline', () => {
  const { engine, wrapper } = testChat();
  render(<Words />, { wrapper });
  expect(getPresenceText()).toBe('Online');
  act(() => engine.store.setState({ connection: 'waiting' }));
  expect(getPresenceText()).toBe('');
});

test('the last seen time remains known', () => {
  const { engine, wrapper } = testChat();
  engine.store.setState({ connection: 'waiting' });
  render(<Words lastSeenAt="2020-01-02T10:00:00.000Z" />, { wrapper });
  expect(getPresenceText()).toMatch(/^Last seen/i);
});

test('data stored on the device shows no presence until the server does', () => {
  const { engine, wrapper } = testChat();
  engine.store.setState({ isPresenceKnown: false });
  render(<Words />, { wrapper });
  expect(getPresenceText()).toBe('');
  act(() => engine.store.setState({ presence: { ben: { presenceStatus: 'away', statusMessage: '', version: 1 } } }));
  expect(getPresenceText()).toBe('Away');
});
