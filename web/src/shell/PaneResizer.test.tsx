/** @jest-environment jsdom */
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { TestProviders } from '../testing/TestProviders.tsx';
import { PaneResizer } from './PaneResizer.tsx';
import { detailsPaneWidthSetting, listPaneWidthSetting } from './paneWidth.ts';

const inWindowOf = (width: number) =>
  Object.defineProperty(globalThis, 'innerWidth', { value: width, configurable: true });
beforeEach(() => void inWindowOf(1_600));
afterEach(() => {
  cleanup();
  listPaneWidthSetting.keep(null);
  detailsPaneWidthSetting.keep(null);
});

const separator = () => screen.getByRole('separator');
const press = (key: string) => fireEvent.keyDown(separator(), { key });
const width = () => Number(separator().getAttribute('aria-valuenow'));

test('the edge of a list widens it towards the content, and the width is stored', () => {
  render(<PaneResizer pane={listPaneWidthSetting} name="Sidebar" defaultWidth={360} side="end" />, {
    wrapper: TestProviders,
  });
  expect(width()).toBe(360);
  press('ArrowRight');
  expect([width(), localStorage.getItem('nolo.listWidth')]).toEqual([376, '376']);
  press('ArrowLeft');
  press('ArrowLeft');
  expect(width()).toBe(344);
  press('End');
  press('ArrowRight');
  expect(width()).toBe(480);
  fireEvent.doubleClick(separator());
  expect([width(), localStorage.getItem('nolo.listWidth')]).toEqual([360, null]);
});

test('the edge of the details widens them the other way, and leaves the list unchanged', () => {
  render(<PaneResizer pane={detailsPaneWidthSetting} name="Details" defaultWidth={340} side="start" />, {
    wrapper: TestProviders,
  });
  press('ArrowLeft');
  expect([width(), localStorage.getItem('nolo.detailsWidth')]).toEqual([356, '356']);
  press('Home');
  press('ArrowRight');
  expect(width()).toBe(280);
  expect(listPaneWidthSetting.store.getState().width).toBeNull();
});

test('panes of a narrow window leave room to read between them', () => {
  inWindowOf(1_280);
  listPaneWidthSetting.keep(480);
  detailsPaneWidthSetting.keep(440);
  expect([listPaneWidthSetting, detailsPaneWidthSetting].map(({ store }) => store.getState().width)).toEqual([
    480, 358,
  ]);
  inWindowOf(1_024);
  render(<PaneResizer pane={listPaneWidthSetting} name="Sidebar" defaultWidth={320} side="end" />, {
    wrapper: TestProviders,
  });
  expect([width(), separator().getAttribute('aria-valuemax')]).toEqual([409, '409']);
  press('ArrowLeft');
  expect(width()).toBe(393);
});
