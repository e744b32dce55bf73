/** @jest-environment jsdom */
import { jest } from '@jest/globals';
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { TestProviders } from '../testing/TestProviders.tsx';
import { FormDialog } from './FormDialog.tsx';

afterEach(cleanup);

test('what is under way is not sent a second time, and Cancel leaves it', async () => {
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

test('a later step leads back in the place of Cancel', async () => {
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
