/** @jest-environment jsdom */
import { jest } from '@jest/globals';
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { TestProviders } from '../testing/TestProviders.tsx';
import { FormDialog } from './FormDialog.tsx';

afterEach(cleanup);

test('a submission in progress is not sent again, and Cancel closes the dialog', async () => {
  const user = userEvent.setup();
  const onSubmit = jest.fn(() => new Promise<void>(() => {}));
  const onClose = jest.fn();
  render(
    <FormDialog title="A place" submitLabel="Add" onSubmit={onSubmit} onClose={onClose}>
      <input aria-label="Name" />
    </FormDialog>,
    { wrapper: TestProviders },
  );
  await user.type(screen.getByRole('textbox', { name: 'Name' }), 'Lake{Enter}{Enter}');
  expect(onSubmit).toHaveBeenCalledTimes(1);
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(onClose).toHaveBeenCalledTimes(1);
});

test('a later step has a way back in place of Cancel', async () => {
  const user = userEvent.setup();
  const onSelect = jest.fn();
  const onClose = jest.fn();
  render(
    <FormDialog
      title="A place"
      submitLabel="Add"
      back={{ label: 'Another one', onSelect }}
      onSubmit={() => {}}
      onClose={onClose}
    >
      <p>The lake</p>
    </FormDialog>,
    { wrapper: TestProviders },
  );
  expect(screen.queryByRole('button', { name: 'Cancel' })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Another one' }));
  expect(onSelect).toHaveBeenCalledTimes(1);
  expect(onClose).not.toHaveBeenCalled();
});

function openForm(extra: { dirty?: boolean } = {}) {
  const onClose = jest.fn();
  render(
    <FormDialog title="A place" submitLabel="Add" onSubmit={() => {}} onClose={onClose} {...extra}>
      <input aria-label="Name" />
      <input type="search" aria-label="Search" />
    </FormDialog>,
    { wrapper: TestProviders },
  );
  return { onClose, user: userEvent.setup() };
}

const question = () => screen.queryByRole('alertdialog', { name: 'Discard changes?' });

test('input is not discarded without asking, however the dialog is closed', async () => {
  const { onClose, user } = openForm();
  await user.type(screen.getByRole('textbox', { name: 'Name' }), 'Lake');
  const ways = [
    () => user.keyboard('{Escape}'),
    () => user.click(screen.getByRole('button', { name: 'Cancel' })),
    () => user.click(screen.getByRole('button', { name: 'Close' })),
  ];
  for (const way of ways) {
    await way();
    expect(question()).not.toBeNull();
    expect(onClose).not.toHaveBeenCalled();
    await user.click(screen.getByRole('button', { name: 'Keep editing' }));
    expect(question()).toBeNull();
  }
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Name' }).value).toBe('Lake');

  const leaving = new Event('beforeunload', { cancelable: true });
  dispatchEvent(leaving);
  expect(leaving.defaultPrevented).toBe(true);

  await user.keyboard('{Escape}');
  await user.click(screen.getByRole('button', { name: 'Discard' }));
  expect(onClose).toHaveBeenCalledTimes(1);
});

test('closes at once without input, after a search or after undoing; selections count as input', async () => {
  const { onClose, user } = openForm();
  await user.type(screen.getByRole('searchbox'), 'Ada');
  await user.type(screen.getByRole('textbox', { name: 'Name' }), 'L{Backspace}');
  await user.keyboard('{Escape}');
  expect(question()).toBeNull();
  expect(onClose).toHaveBeenCalledTimes(1);
  const leaving = new Event('beforeunload', { cancelable: true });
  dispatchEvent(leaving);
  expect(leaving.defaultPrevented).toBe(false);
  cleanup();

  const chosen = openForm({ dirty: true });
  await chosen.user.keyboard('{Escape}');
  expect(question()).not.toBeNull();
});
