/** @jest-environment jsdom */
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { createOverlayHistory } from './overlayHistory.ts';

/* Simulates the router: its own state in each entry, and a listener that was registered first. */
let screen = '';
let busy = false;
const keyHere = (): string => (history.state as { key: string }).key;
const onRouterPop = jest.fn(() => {
  screen = keyHere();
});
let overlays: ReturnType<typeof createOverlayHistory>;
let screens = 0;

/** Waits for the event loop turns that a history step and its consequences take here. */
async function settled(): Promise<void> {
  // Sleeps: jsdom processes history in its own tasks, whose end nothing reports.
  for (let turn = 0; turn < 12; turn += 1) await new Promise((resolve) => setTimeout(resolve));
}

function openScreen(path: string): void {
  screens += 1;
  screen = `screen${screens}`;
  history.pushState({ key: screen, idx: screens }, '', path);
}

async function back(): Promise<void> {
  history.back();
  await settled();
}

beforeEach(() => {
  addEventListener('popstate', onRouterPop);
  openScreen('/');
  openScreen('/chat/1');
  overlays = createOverlayHistory(window);
  overlays.follow({ key: () => screen, busy: () => busy });
  onRouterPop.mockClear();
});
afterEach(() => {
  removeEventListener('popstate', onRouterPop);
  overlays.stop();
});

/** Opens an overlay like a component does: closing it also removes it. */
function opened() {
  const close = jest.fn(() => remove());
  const remove = overlays.add(close);
  return { close, remove };
}

test('Back closes what is open, from the top, and then leaves the screen', async () => {
  const [pane, dialog] = [opened(), opened()];
  await back();
  expect(dialog.close).toHaveBeenCalledTimes(1);
  expect(pane.close).not.toHaveBeenCalled();
  await back();
  expect(pane.close).toHaveBeenCalledTimes(1);
  expect(location.pathname).toBe('/chat/1');
  expect(onRouterPop).not.toHaveBeenCalled();
  await back();
  expect(location.pathname).toBe('/');
  expect(onRouterPop).toHaveBeenCalledTimes(1);
});

test('Back keeps an overlay that asks first, and those below it; the next Back asks again', async () => {
  const pane = opened();
  const form = { close: jest.fn(() => false) };
  const remove = overlays.add(form.close);
  await back();
  await back();
  expect(form.close).toHaveBeenCalledTimes(2);
  expect(pane.close).not.toHaveBeenCalled();
  expect(location.pathname).toBe('/chat/1');
  remove();
  await settled();
  await back();
  expect(pane.close).toHaveBeenCalledTimes(1);
  expect(onRouterPop).not.toHaveBeenCalled();
});

test('an overlay closed in another way leaves no history entry', async () => {
  const dialog = opened();
  dialog.remove();
  await settled();
  expect(onRouterPop).not.toHaveBeenCalled();
  await back();
  expect(location.pathname).toBe('/');
  expect(dialog.close).not.toHaveBeenCalled();
});

test('a page that is being left is not called back by an overlay closed on the way', async () => {
  const overlaysHere = () => (history.state as { overlays?: number }).overlays ?? 0;
  opened().remove();
  dispatchEvent(new Event('beforeunload'));
  await settled();
  expect(overlaysHere()).toBe(1);
  // Going back from there removes the entry as usual.
  dispatchEvent(new Event('pageshow'));
  await settled();
  expect(overlaysHere()).toBe(0);

  // The user stayed after all and opens something else.
  dispatchEvent(new Event('beforeunload'));
  opened().remove();
  await settled();
  expect(overlaysHere()).toBe(0);
});

test('an overlay that replaces another is closed by one Back', async () => {
  const menu = opened();
  menu.remove();
  const dialog = opened();
  await settled();
  await back();
  expect(dialog.close).toHaveBeenCalledTimes(1);
  await back();
  expect(location.pathname).toBe('/');
});

test('an overlay opened while another is being removed is closed by Back too', async () => {
  const menu = opened();
  menu.remove();
  // Sleeps: one task, until the step back has begun but not arrived.
  await new Promise((resolve) => setTimeout(resolve));
  const dialog = opened();
  await settled();
  await back();
  expect(dialog.close).toHaveBeenCalledTimes(1);
  expect(location.pathname).toBe('/chat/1');
});

test('a screen opened from a dialog returns to the screen below, in one step', async () => {
  const dialog = opened();
  openScreen('/group-chat/2');
  dialog.remove();
  await settled();
  expect(location.pathname).toBe('/group-chat/2');
  await back();
  expect(location.pathname).toBe('/chat/1');
  expect(onRouterPop).toHaveBeenCalledTimes(1);
  await back();
  expect(location.pathname).toBe('/');
});

test('a screen that takes a while to open from a dialog finds the history at rest', async () => {
  const dialog = opened();
  busy = true;
  dialog.remove();
  await settled();
  openScreen('/group-chat/2');
  busy = false;
  await settled();
  expect(location.pathname).toBe('/group-chat/2');
  await back();
  expect(location.pathname).toBe('/chat/1');
  expect(onRouterPop).toHaveBeenCalledTimes(1);
});

test('a screen that replaces a dialog’s screen replaces the screen below', async () => {
  const [pane, dialog] = [opened(), opened()];
  screen = 'left';
  history.replaceState({ key: screen, idx: screens }, '', '/left');
  dialog.remove();
  pane.remove();
  await settled();
  expect(location.pathname).toBe('/left');
  expect(onRouterPop).not.toHaveBeenCalled();
  await back();
  expect(location.pathname).toBe('/');
});

test('going back several screens is left to the router, whatever is open', async () => {
  const pane = opened();
  history.go(-2);
  await settled();
  expect(location.pathname).toBe('/');
  expect(onRouterPop).toHaveBeenCalledTimes(1);
  expect(pane.close).not.toHaveBeenCalled();
});

test('a page reloaded with an overlay open is at its screen', async () => {
  opened();
  overlays.stop();
  overlays = createOverlayHistory(window);
  overlays.follow({ key: () => screen, busy: () => busy });
  await settled();
  expect(history.state).toMatchObject({ key: screen });
  expect(history.state).not.toHaveProperty('overlays');
  await back();
  expect(location.pathname).toBe('/');
});
