/** @jest-environment jsdom */
import { cleanup, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { TestProviders } from '../../testing/TestProviders.tsx';
import { NotInMeetingScreen } from './NotInMeetingScreen.tsx';

afterEach(cleanup);

function show(props: Partial<Parameters<typeof NotInMeetingScreen>[0]>) {
  const pressed: string[] = [];
  render(
    <TestProviders>
      <NotInMeetingScreen
        reason="not_found"
        onHome={() => pressed.push('home')}
        onRetry={() => pressed.push('retry')}
        {...props}
      />
    </TestProviders>,
  );
  return pressed;
}

test('an unknown code is reported in the words of the specification, and leads home', async () => {
  const pressed = show({});
  expect(screen.getByRole('heading', { name: 'Meeting not found' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Go Back Home' }));
  expect(pressed).toEqual(['home']);
});

test('a full meeting can be tried again', async () => {
  const pressed = show({ reason: 'full' });
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(pressed).toEqual(['retry']);
});

test('a removed person may be readmitted, and asks by trying again', async () => {
  const pressed = show({ reason: 'removed' });
  expect(screen.getByText(/until a host lets you back in/)).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(pressed).toEqual(['retry']);
});

test('someone who needs an account is offered both ways to sign in', async () => {
  const ways: string[] = [];
  show({ reason: 'sign_in', onSignIn: (way) => ways.push(way) });
  await userEvent.click(screen.getByRole('button', { name: 'Sign In' }));
  await userEvent.click(screen.getByRole('button', { name: 'Continue with phone' }));
  expect(ways).toEqual(['provider', 'phone']);
});

test('a host who left sees who hosts now, goes home first, and may return', async () => {
  const pressed = show({ reason: 'handed_on', nextHost: 'Ben' });
  expect(screen.getByText('The meeting continues, and Ben is now the host.')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Rejoin' }));
  await userEvent.click(screen.getByRole('button', { name: 'Go Back Home' }));
  expect(pressed).toEqual(['retry', 'home']);
  cleanup();
  show({ reason: 'handed_on' });
  expect(screen.getByText('The meeting continues without a host.')).toBeTruthy();
});
