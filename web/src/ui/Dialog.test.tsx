/** @jest-environment jsdom */
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { TestProviders } from '../testing/TestProviders.tsx';
import { Button } from './Button.tsx';
import { Dialog } from './Dialog.tsx';
import { TextField } from './TextField.tsx';

afterEach(cleanup);

function Example({ role, autoFocus = false }: { role?: 'alert'; autoFocus?: boolean }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>Add Contact</Button>
      <Dialog open={open} onOpenChange={setOpen} title="Add a contact" role={role}>
        <TextField label="Name" autoFocus={autoFocus} />
      </Dialog>
    </>
  );
}

test.each([false, true])(
  'takes focus, and Escape returns it to where it was (a field asks for it: %s)',
  async (autoFocus) => {
    const user = userEvent.setup();
    render(<Example autoFocus={autoFocus} />, { wrapper: TestProviders });
    const opener = screen.getByRole('button', { name: 'Add Contact' });
    await user.click(opener);
    const dialog = screen.getByRole('dialog', { name: 'Add a contact' });
    expect(dialog.contains(document.activeElement)).toBe(true);
    await user.keyboard('{Escape}');
    expect(screen.queryByRole('dialog')).toBeNull();
    await waitFor(() => expect(document.activeElement).toBe(opener));
  },
);

function InTwoSteps({ autoFocus }: { autoFocus: boolean }) {
  const [step, setStep] = useState(0);
  const close = () => setStep(0);
  return (
    <>
      <Button onClick={() => setStep(1)}>Share</Button>
      {step === 1 && (
        <Dialog key="ways" open onOpenChange={close} title="Ways">
          <Button onClick={() => setStep(2)}>Chats</Button>
        </Dialog>
      )}
      {step === 2 && (
        <Dialog key="chats" open onOpenChange={close} title="Choose chats">
          <TextField label="Name" autoFocus={autoFocus} />
        </Dialog>
      )}
    </>
  );
}

test.each([false, true])(
  'a dialog that replaces another returns focus to where it was before the first (%s)',
  async (autoFocus) => {
    const user = userEvent.setup();
    render(<InTwoSteps autoFocus={autoFocus} />, { wrapper: TestProviders });
    const opener = screen.getByRole('button', { name: 'Share' });
    await user.click(opener);
    await user.click(screen.getByRole('button', { name: 'Chats' }));
    const chosen = await screen.findByRole('dialog', { name: 'Choose chats' });
    await waitFor(() => expect(chosen.contains(document.activeElement)).toBe(true));
    // Sleeps: the first dialog returns the focus in a task of its own, which shows nowhere if it does nothing.
    await new Promise((resolve) => setTimeout(resolve));
    expect(chosen.contains(document.activeElement)).toBe(true);
    await user.keyboard('{Escape}');
    await waitFor(() => expect(document.activeElement).toBe(opener));
  },
);

test('the close button closes the dialog', async () => {
  const user = userEvent.setup();
  render(<Example />, { wrapper: TestProviders });
  await user.click(screen.getByRole('button', { name: 'Add Contact' }));
  await user.click(screen.getByRole('button', { name: 'Close' }));
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('an alert is an alertdialog without a close button', async () => {
  const user = userEvent.setup();
  render(<Example role="alert" />, { wrapper: TestProviders });
  await user.click(screen.getByRole('button', { name: 'Add Contact' }));
  expect(screen.getByRole('alertdialog')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Close' })).toBeNull();
});
