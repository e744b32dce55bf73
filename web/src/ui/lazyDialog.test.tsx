/** @jest-environment jsdom */
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ComponentType } from 'react';
import { useRef, useState } from 'react';
import { toasts } from './toasts.ts';
import { TestProviders } from '../testing/TestProviders.tsx';
import { Button } from './Button.tsx';
import { Dialog } from './Dialog.tsx';
import { lazyDialog } from './lazyDialog.tsx';
import { SearchField } from './SearchField.tsx';

interface PickerProps {
  onClose: () => void;
}

afterEach(cleanup);
beforeEach(() => toasts.setState({ toasts: [] }));

function Picker({ onClose }: PickerProps) {
  const field = useRef<HTMLInputElement>(null);
  const [query, setQuery] = useState('');
  return (
    <Dialog open onOpenChange={onClose} initialFocus={() => field.current} title="Forward">
      <SearchField ref={field} label="Search" value={query} onValueChange={setQuery} />
      <output>{query}</output>
    </Dialog>
  );
}

/** Shows a button that opens the picker, whose code loads when the test decides. */
function show() {
  const loads: { resolve: (picker: ComponentType<PickerProps>) => void; reject: (reason: Error) => void }[] = [];
  const keysBehind: string[] = [];
  let presses = 0;
  const LatePicker = lazyDialog<PickerProps>(() => new Promise((resolve, reject) => loads.push({ resolve, reject })));
  function Example() {
    const [open, setOpen] = useState(false);
    return (
      <>
        <Button
          onKeyDown={({ key }) => keysBehind.push(key)}
          onClick={() => {
            presses += 1;
            setOpen(true);
          }}
        >
          Open
        </Button>
        {open && <LatePicker onClose={() => setOpen(false)} />}
      </>
    );
  }
  render(<Example />, { wrapper: TestProviders });
  const opener = screen.getByRole('button', { name: 'Open' });
  const arrive = (at = 0) => act(async () => loads[at]?.resolve(Picker));
  return { loads, arrive, opener, keysBehind, presses: () => presses };
}

test('text typed before a dialog has loaded goes into its field, and nothing behind it gets a key', async () => {
  const user = userEvent.setup();
  const { opener, arrive, keysBehind, presses } = show();
  await user.click(opener);
  await user.keyboard('taxk{Backspace}{Backspace}lk{Enter} ');
  expect(screen.queryByRole('dialog', { name: 'Forward' })).toBeNull();
  await arrive();
  const field = screen.getByRole<HTMLInputElement>('searchbox');
  expect(document.activeElement).toBe(field);
  expect(screen.getByRole('status').textContent).toBe('talk ');
  await user.keyboard('on');
  expect(field.value).toBe('talk on');
  expect(keysBehind).toEqual([]);
  expect(presses()).toBe(1);
});

test('a dialog returns focus to where it was, and opens at once the next time', async () => {
  const user = userEvent.setup();
  const { opener, arrive, loads } = show();
  await user.click(opener);
  await arrive();
  await user.keyboard('{Escape}');
  await waitFor(() => expect(document.activeElement).toBe(opener));
  await user.click(opener);
  await user.keyboard('a');
  expect(screen.getByRole<HTMLInputElement>('searchbox').value).toBe('a');
  expect(loads).toHaveLength(1);
});

test.each([
  ['Escape', (user: ReturnType<typeof userEvent.setup>) => user.keyboard('{Escape}')],
  ['a press outside', () => Promise.resolve(fireEvent.pointerDown(screen.getByRole('dialog', { name: 'Opening' })))],
])('%s closes a dialog before it has loaded', async (_, close) => {
  const user = userEvent.setup();
  const { opener, arrive } = show();
  await user.click(opener);
  await close(user);
  await arrive();
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(document.activeElement).toBe(opener);
});

test('a dialog that failed to load is reported, and requested again the next time', async () => {
  const user = userEvent.setup();
  const { opener, arrive, loads } = show();
  await user.click(opener);
  await act(async () => loads[0]?.reject(new TypeError('Failed to fetch dynamically imported module')));
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(toasts.getState().toasts.map(({ title }) => title)).toEqual(['Network error. Please try again.']);
  await user.click(opener);
  await arrive(1);
  expect(screen.getByRole('dialog', { name: 'Forward' })).toBeTruthy();
});
