/** @jest-environment jsdom */
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { TestProviders } from '../testing/TestProviders.tsx';
import { IconButton } from './IconButton.tsx';

// The modules that load with the first tooltip are compiled here, which may take longer than the tests wait for a
// tooltip.
beforeAll(() => import('./SharedTooltip.tsx'));
afterEach(cleanup);

const show = (label: string) => (
  <TestProviders>
    <IconButton label={label} icon={<svg />} aria-describedby="why" />
    <IconButton label="Archive" icon={<svg />} />
  </TestProviders>
);

test('a button focused by keyboard shows its name, is described by it, and stays the same button', async () => {
  const user = userEvent.setup();
  const { rerender } = render(show('Mute'));
  const button = screen.getByRole('button', { name: 'Mute' });

  await user.tab();
  const tooltip = await screen.findByRole('tooltip', { name: 'Mute' });
  expect(button).toBe(document.activeElement);
  expect(button.getAttribute('aria-describedby')).toBe(`why ${tooltip.id}`);

  rerender(show('Unmute'));
  expect(screen.getByRole('tooltip', { name: 'Unmute' })).toBeTruthy();

  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('tooltip')).toBeNull());
  expect(button.getAttribute('aria-describedby')).toBe('why');
});

test('the next focused button has the tooltip, and a press closes it', async () => {
  const user = userEvent.setup();
  render(show('Mute'));
  await user.tab();
  await screen.findByRole('tooltip', { name: 'Mute' });

  await user.tab();
  await screen.findByRole('tooltip', { name: 'Archive' });
  expect(screen.queryByRole('tooltip', { name: 'Mute' })).toBeNull();

  await user.keyboard('{Enter}');
  await waitFor(() => expect(screen.queryByRole('tooltip')).toBeNull());
});

test('a pointer resting on a button shows its tooltip, and a finger does not', async () => {
  const user = userEvent.setup();
  render(show('Mute'));
  const [button, other] = [
    screen.getByRole('button', { name: 'Mute' }),
    screen.getByRole('button', { name: 'Archive' }),
  ];

  await user.pointer([{ keys: '[TouchA>]', target: other }, { keys: '[/TouchA]' }]);
  await user.hover(button);
  await user.pointer({ target: button, coords: { x: 2, y: 2 } });

  await screen.findByRole('tooltip', { name: 'Mute' });
  expect(screen.queryByRole('tooltip', { name: 'Archive' })).toBeNull();
});
