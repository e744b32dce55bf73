/** @jest-environment jsdom */
import { act, cleanup, render, screen as page, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ComponentType, ReactNode } from 'react';
import { Suspense, useState } from 'react';
import { TestProviders } from '../testing/TestProviders.tsx';
import { lazyOverlay, lazyOptional, lazyComponent, lazyScreen } from './lazyComponents.tsx';
import { toasts } from './toasts.ts';

afterEach(cleanup);
beforeEach(() => toasts.setState({ toasts: [] }));

/** Simulates code that cannot load until the test allows it. */
function loadOverNetwork<Props extends object>(Here: ComponentType<Props>) {
  const network = { down: true, loadCount: 0 };
  const load = async (): Promise<ComponentType<Props>> => {
    network.loadCount += 1;
    if (network.down) throw new TypeError('Failed to fetch dynamically imported module');
    return Here;
  };
  return { network, load };
}

/** Shows a form with typed text beside the part. */
async function renderBesideField(shown: ReactNode) {
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

const comeBackOnline = () => act(async () => dispatchEvent(new Event('online')));

test('what a screen can do without is not missed, and comes with the line', async () => {
  const { network, load } = loadOverNetwork(() => <p>A hint</p>);
  const Hint = lazyOptional(load);
  const { typed } = await renderBesideField(<Hint />);
  await waitFor(() => expect(network.loadCount).toBe(2));
  expect(document.body.textContent).toBe('');
  network.down = false;
  await comeBackOnline();
  expect(page.getByText('A hint')).toBeTruthy();
  expect(typed()).toBe('0170 123');
});

test('it is asked for once more where it is shown once more', async () => {
  const { network, load } = loadOverNetwork(() => <p>A hint</p>);
  const Hint = lazyOptional(load);
  await renderBesideField(<Hint />);
  await waitFor(() => expect(network.loadCount).toBe(2));
  cleanup();
  network.down = false;
  await renderBesideField(<Hint />);
  expect(await page.findByText('A hint')).toBeTruthy();
  const { loadCount: times } = network;
  cleanup();
  await renderBesideField(<Hint />);
  expect(page.getByText('A hint')).toBeTruthy();
  expect(network.loadCount).toBe(times);
});

test('something plainer may stand in its place', async () => {
  const { load } = loadOverNetwork(({ words }: { words: string }) => <b>{words}</b>);
  const Bold = lazyOptional(load, ({ words }) => <span>{words}</span>);
  await renderBesideField(<Bold words="As it is" />);
  expect((await page.findByText('As it is')).tagName).toBe('SPAN');
});

test('what one came for says that it is missing, and can be asked for', async () => {
  const { network, load } = loadOverNetwork(() => <p>The plans</p>);
  const Plans = lazyComponent(load);
  const { user, typed } = await renderBesideField(<Plans />);
  expect((await page.findByRole('alert')).textContent).toContain('Network error. Please try again.');
  const retry = await page.findByRole('button', { name: 'Retry' });
  await user.click(retry);
  expect(page.getByRole('alert')).toBeTruthy();
  network.down = false;
  await user.click(retry);
  expect(page.getByText('The plans')).toBeTruthy();
  expect(typed()).toBe('0170 123');
});

test('a screen that is missing says so, and is here when one comes to it with a line', async () => {
  const { network, load } = loadOverNetwork(() => <h1>Meetings</h1>);
  // The router calls this and caches the result.
  const { Component: Meetings } = await lazyScreen(load)();
  await renderBesideField(<Meetings />);
  expect(page.getByRole('alert').textContent).toContain('Network error. Please try again.');
  cleanup();
  network.down = false;
  await renderBesideField(<Meetings />);
  expect(page.getByRole('heading', { name: 'Meetings' })).toBeTruthy();
});

test('what was opened and does not come is closed with a word, and opens the next time', async () => {
  const { network, load } = loadOverNetwork(({ onClose }: { onClose: () => void }) => (
    <button onClick={onClose}>A menu</button>
  ));
  const Menu = lazyOverlay(load);
  function Example() {
    const [open, setOpen] = useState(false);
    return (
      <>
        <button onClick={() => setOpen(true)}>Open</button>
        {open && <Menu onClose={() => setOpen(false)} />}
      </>
    );
  }
  const { user, typed } = await renderBesideField(<Example />);
  await user.click(page.getByRole('button', { name: 'Open' }));
  await waitFor(() =>
    expect(toasts.getState().toasts.map(({ title }) => title)).toEqual(['Network error. Please try again.']),
  );
  expect(typed()).toBe('0170 123');
  network.down = false;
  await user.click(page.getByRole('button', { name: 'Open' }));
  expect(await page.findByRole('button', { name: 'A menu' })).toBeTruthy();
});
