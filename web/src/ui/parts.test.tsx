/** @jest-environment jsdom */
import { act, cleanup, render, screen as page, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ComponentType, ReactNode } from 'react';
import { Suspense, useState } from 'react';
import { TestProviders } from '../testing/TestProviders.tsx';
import { asked, optional, part, screen } from './parts.tsx';
import { toasts } from './toasts.ts';

afterEach(cleanup);
beforeEach(() => toasts.setState({ toasts: [] }));

/** Simulates code that cannot load until the test allows it. */
function overLine<Props extends object>(Here: ComponentType<Props>) {
  const line = { down: true, asked: 0 };
  const load = async (): Promise<ComponentType<Props>> => {
    line.asked += 1;
    if (line.down) throw new TypeError('Failed to fetch dynamically imported module');
    return Here;
  };
  return { line, load };
}

/** Shows a form with typed text beside the part. */
async function showBeside(shown: ReactNode) {
  const user = userEvent.setup();
  render(
    <>
      <input aria-label="Phone number" />
      <Suspense>{shown}</Suspense>
    </>,
    { wrapper: TestProviders },
  );
  await user.type(page.getByRole('textbox'), '0170 123');
  const typed = () => page.getByRole<HTMLInputElement>('textbox').value;
  return { user, typed };
}

const backOnLine = () => act(async () => dispatchEvent(new Event('online')));

test('what a screen can do without is not missed, and comes with the line', async () => {
  const { line, load } = overLine(() => <p>A hint</p>);
  const Hint = optional(load);
  const { typed } = await showBeside(<Hint />);
  await waitFor(() => expect(line.asked).toBe(2));
  expect(document.body.textContent).toBe('');
  line.down = false;
  await backOnLine();
  expect(page.getByText('A hint')).toBeTruthy();
  expect(typed()).toBe('0170 123');
});

test('it is asked for once more where it is shown once more', async () => {
  const { line, load } = overLine(() => <p>A hint</p>);
  const Hint = optional(load);
  await showBeside(<Hint />);
  await waitFor(() => expect(line.asked).toBe(2));
  cleanup();
  line.down = false;
  await showBeside(<Hint />);
  expect(await page.findByText('A hint')).toBeTruthy();
  const { asked: times } = line;
  cleanup();
  await showBeside(<Hint />);
  expect(page.getByText('A hint')).toBeTruthy();
  expect(line.asked).toBe(times);
});

test('something plainer may stand in its place', async () => {
  const { load } = overLine(({ words }: { words: string }) => <b>{words}</b>);
  const Bold = optional(load, ({ words }) => <span>{words}</span>);
  await showBeside(<Bold words="As it is" />);
  expect((await page.findByText('As it is')).tagName).toBe('SPAN');
});

test('what one came for says that it is missing, and can be asked for', async () => {
  const { line, load } = overLine(() => <p>The plans</p>);
  const Plans = part(load);
  const { user, typed } = await showBeside(<Plans />);
  expect((await page.findByRole('alert')).textContent).toContain('Network error. Please try again.');
  const retry = await page.findByRole('button', { name: 'Retry' });
  await user.click(retry);
  expect(page.getByRole('alert')).toBeTruthy();
  line.down = false;
  await user.click(retry);
  expect(page.getByText('The plans')).toBeTruthy();
  expect(typed()).toBe('0170 123');
});

test('a screen that is missing says so, and is here when one comes to it with a line', async () => {
  const { line, load } = overLine(() => <h1>Meetings</h1>);
  // The router calls this and caches the result.
  const { Component: Meetings } = await screen(load)();
  await showBeside(<Meetings />);
  expect(page.getByRole('alert').textContent).toContain('Network error. Please try again.');
  cleanup();
  line.down = false;
  await showBeside(<Meetings />);
  expect(page.getByRole('heading', { name: 'Meetings' })).toBeTruthy();
});

test('what was opened and does not come is closed with a word, and opens the next time', async () => {
  const { line, load } = overLine(({ onClose }: { onClose: () => void }) => <button onClick={onClose}>A menu</button>);
  const Menu = asked(load);
  function Example() {
    const [open, setOpen] = useState(false);
    return (
      <>
        <button onClick={() => setOpen(true)}>Open</button>
        {open && <Menu onClose={() => setOpen(false)} />}
      </>
    );
  }
  const { user, typed } = await showBeside(<Example />);
  await user.click(page.getByRole('button', { name: 'Open' }));
  await waitFor(() =>
    expect(toasts.getState().toasts.map(({ title }) => title)).toEqual(['Network error. Please try again.']),
  );
  expect(typed()).toBe('0170 123');
  line.down = false;
  await user.click(page.getByRole('button', { name: 'Open' }));
  expect(await page.findByRole('button', { name: 'A menu' })).toBeTruthy();
});
