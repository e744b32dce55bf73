/** @jest-environment jsdom */
import type { Self } from '@nolo/api';
import { act, cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useStore } from 'zustand';
import { TestProviders } from '../../testing/TestProviders.tsx';
import { sessionStore } from '../../session/session.ts';
import { LocationWarningDialog } from './LocationWarningDialog.tsx';
import { confirmSendingLocation } from './confirmSendingLocation.ts';
import { locationWarningStore } from './locationWarning.ts';

beforeEach(() => sessionStore.getState().signedIn({ id: 'u1' } as Self));
afterEach(cleanup);

function Host() {
  return useStore(locationWarningStore, ({ question }) => question !== null) && <LocationWarningDialog />;
}

const fileOf = (name: string, canRevealLocation = true) => ({ name, bytes: new Blob([name]), canRevealLocation });
const press = async (name: string) => userEvent.setup().click(await screen.findByRole('button', { name }));
const show = () => render(<Host />, { wrapper: TestProviders });

test('files that reveal no location are sent without a question', async () => {
  show();
  expect(await confirmSendingLocation([fileOf('Hill.jpg', false)])).toBe(true);
  expect(screen.queryByRole('alertdialog')).toBeNull();
});

test('the question names the files, and Cancel does not send them', async () => {
  show();
  const answer = confirmSendingLocation([fileOf('Hill.dng'), fileOf('Walk.jpg', false)]);
  const dialog = await screen.findByRole('alertdialog', { name: 'This file may show where it was taken' });
  expect(dialog.textContent).toContain('Hill.dng');
  expect(dialog.textContent).not.toContain('Walk.jpg');
  await press('Cancel');
  expect(await answer).toBe(false);
  expect(screen.queryByRole('alertdialog')).toBeNull();
});

test('the first of many files are named, and nobody is asked twice about approved ones', async () => {
  show();
  const files = Array.from({ length: 8 }, (_, at) => fileOf(`Hill ${at}.dng`));
  const [first, secondAnswer] = [confirmSendingLocation(files), confirmSendingLocation(files)];
  const dialog = await screen.findByRole('alertdialog', { name: 'These files may show where they were taken' });
  for (const words of ['Hill 0.dng', 'Hill 4.dng', 'and 3 more']) expect(dialog.textContent).toContain(words);
  await press('Send anyway');
  expect(await Promise.all([first, secondAnswer])).toEqual([true, true]);
});

test('questions wait for each other', async () => {
  show();
  const [first, second] = [confirmSendingLocation([fileOf('One.dng')]), confirmSendingLocation([fileOf('Two.dng')])];
  expect((await screen.findByRole('alertdialog')).textContent).toContain('One.dng');
  await press('Cancel');
  expect(await first).toBe(false);
  expect((await screen.findByRole('alertdialog')).textContent).toContain('Two.dng');
  await press('Send anyway');
  expect(await second).toBe(true);
});

test('signing out declines all questions, and later ones are not asked', async () => {
  show();
  const all = [confirmSendingLocation([fileOf('One.dng')]), confirmSendingLocation([fileOf('Two.dng')])];
  await screen.findByRole('alertdialog');
  act(() => sessionStore.getState().signedOut());
  expect(await Promise.all([...all, confirmSendingLocation([fileOf('Three.dng')])])).toEqual([false, false, false]);
  expect(screen.queryByRole('alertdialog')).toBeNull();
});

test('files that someone else wanted to send raise no question', async () => {
  show();
  const all = [confirmSendingLocation([fileOf('One.dng')]), confirmSendingLocation([fileOf('Two.dng')])];
  await screen.findByRole('alertdialog');
  act(() => {
    sessionStore.getState().signedOut();
    sessionStore.getState().signedIn({ id: 'u2' } as Self);
  });
  expect(await Promise.all(all)).toEqual([false, false]);
});
