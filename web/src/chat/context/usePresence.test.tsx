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

const said = () => screen.getByRole('note').textContent;

test('a device that is cut off calls nobody offline', () => {
  const { engine, wrapper } = testChat();
  render(<Words />, { wrapper });
  expect(said()).toBe('Online');
  act(() => engine.store.setState({ connection: 'waiting' }));
  expect(said()).toBe('');
});

test('when somebody was seen last stays known', () => {
  const { engine, wrapper } = testChat();
  engine.store.setState({ connection: 'waiting' });
  render(<Words lastSeenAt="2020-01-02T10:00:00.000Z" />, { wrapper });
  expect(said()).toMatch(/^Last seen/i);
});

test('what the device kept says nothing of who is there, until the server has told', () => {
  const { engine, wrapper } = testChat();
  engine.store.setState({ presenceTold: false });
  render(<Words />, { wrapper });
  expect(said()).toBe('');
  act(() => engine.store.setState({ presence: { ben: { presenceStatus: 'away', statusMessage: '', version: 1 } } }));
  expect(said()).toBe('Away');
});
