/** @jest-environment jsdom */
import { act, cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { TestProviders } from '../testing/TestProviders.tsx';
import { ConfirmDialog } from './ConfirmDialog.tsx';
import { Dialog } from './Dialog.tsx';
import { showFailure } from './failures.ts';
import { FormDialog } from './FormDialog.tsx';
import { TextField } from './TextField.tsx';
import { toasts } from './toasts.ts';

beforeEach(() => toasts.setState({ toasts: [] }));
afterEach(cleanup);

const failure = { title: 'Failed to create group', description: 'Please try again.' };
const toasted = () => toasts.getState().toasts.map(({ title }) => title);

function Form({ onSubmit }: { onSubmit: () => void }) {
  const [text, setText] = useState('');
  return (
    <FormDialog title="Create Group" submitLabel="Create" onSubmit={onSubmit} onClose={() => {}}>
      <TextField label="Name" value={text} onChange={(event) => setText(event.target.value)} />
    </FormDialog>
  );
}

test('a failure without a dialog is a toast', () => {
  showFailure(failure);
  expect(toasted()).toEqual([failure.title]);
});

test('a failure in a dialog appears once above its buttons, without a toast', async () => {
  const user = userEvent.setup();
  render(<Form onSubmit={() => showFailure(failure)} />, { wrapper: TestProviders });
  await user.click(screen.getByRole('button', { name: 'Create' }));
  expect(screen.getByRole('alert').textContent).toBe(`${failure.title}${failure.description}`);
  await user.click(screen.getByRole('button', { name: 'Create' }));
  expect(screen.getAllByRole('alert')).toHaveLength(1);
  expect(toasted()).toEqual([]);
});

test('a failure disappears when the person types', async () => {
  const user = userEvent.setup();
  render(<Form onSubmit={() => showFailure(failure)} />, { wrapper: TestProviders });
  await user.click(screen.getByRole('button', { name: 'Create' }));
  await user.type(screen.getByRole('textbox'), 'a');
  expect(screen.queryByRole('alert')).toBeNull();
});

function Question() {
  const [isConfirmOpen, setIsConfirmOpen] = useState(true);
  return (
    <ConfirmDialog
      open={isConfirmOpen}
      title="Remove?"
      text="It is gone then."
      confirmLabel="Remove"
      onCancel={() => setIsConfirmOpen(false)}
      onConfirm={async () => {
        showFailure(failure);
        setIsConfirmOpen(false);
      }}
    />
  );
}

test('a failure that closes its own dialog moves to the dialog below', async () => {
  render(
    <Dialog open title="Members" onOpenChange={() => {}}>
      <Question />
    </Dialog>,
    { wrapper: TestProviders },
  );
  await userEvent.setup().click(screen.getByRole('button', { name: 'Remove' }));
  expect(screen.getByRole('dialog', { name: 'Members' }).textContent).toContain(failure.title);
  expect(toasted()).toEqual([]);
});

test('a failure that closes the only dialog becomes a toast', async () => {
  render(<Question />, { wrapper: TestProviders });
  await userEvent.setup().click(screen.getByRole('button', { name: 'Remove' }));
  expect(toasted()).toEqual([failure.title]);
});

test('a dialog shows nothing of an earlier failure when it opens again', () => {
  const dialog = (open: boolean) => <Dialog open={open} title="Members" onOpenChange={() => {}} />;
  const { rerender } = render(dialog(true), { wrapper: TestProviders });
  act(() => showFailure(failure));
  rerender(dialog(false));
  rerender(dialog(true));
  expect(screen.queryByRole('alert')).toBeNull();
});

function Strict() {
  const [problem, setProblem] = useState<string | null>(null);
  return (
    <FormDialog title="Join" submitLabel="Join" onSubmit={() => setProblem('Room code required')} onClose={() => {}}>
      <TextField label="Name" />
      <TextField label="Code" error={problem} />
      <TextField label="Note" error={problem} />
    </FormDialog>
  );
}

test('a refused form announces why and leads to its first invalid field', async () => {
  render(<Strict />, { wrapper: TestProviders });
  await userEvent.setup().click(screen.getByRole('button', { name: 'Join' }));
  expect(screen.getAllByRole('alert')[0]?.textContent).toBe('Room code required');
  expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Code' }));
});
