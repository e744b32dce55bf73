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

test('an optional component is not missed, and loads when the connection is back', async () => {
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

test('an optional component is requested again when it is shown again', async () => {
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

test('a plainer component may take its place', async () => {
  const { load } = loadOverNetwork(({ words }: { words: string }) => <b>{words}</b>);
  const Bold = lazyOptional(load, ({ words }) => <span>{words}</span>);
  await renderBesideField(<Bold words="As it is" />);
  expect((await page.findByText('As it is')).tagName).toBe('SPAN');
});

test('a required component shows that it is missing, and can be requested again', async () => {
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

test('a missing screen shows a notice, and loads when it is visited with a connection', async () => {
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

test('an opened component that does not load is closed with a message, and opens the next time', async () => {
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
