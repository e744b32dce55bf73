/** @jest-environment jsdom */
import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { I18nextProvider } from 'react-i18next';
import type { ReactNode } from 'react';
import { createI18n } from '../../../i18n/i18n.ts';
import { barredHostsStore } from '../../../session/barredHosts.ts';
import { BarredLinkDialog } from './BarredLinkDialog.tsx';
import { MarkupText } from './MarkupText.tsx';

const barring = (...hosts: string[]) => act(() => barredHostsStore.setState({ list: new Set(hosts) }));
const i18n = createI18n();
const wrapper = ({ children }: { children: ReactNode }) => <I18nextProvider i18n={i18n}>{children}</I18nextProvider>;
const hrefs = (page: HTMLElement) => [...page.querySelectorAll('a')].map((link) => link.getAttribute('href'));
afterEach(() => {
  cleanup();
  barring();
});

test('a link is disabled and explained while its host is barred', () => {
  const text = 'See https://login.evil.example/a and [here](https://evil.example/b), or https://example.org/';
  const page = render(<MarkupText text={text} people={[]} />, { wrapper }).container;
  expect(hrefs(page)).toHaveLength(3);
  barring('*.evil.example');
  expect(screen.getAllByRole('button', { name: 'Blocked link' })).toHaveLength(2);
  expect(hrefs(page)).toEqual(['https://example.org/']);
  expect(page.textContent).toContain('https://login.evil.example/a');
  barring();
  expect(screen.queryByRole('button')).toBeNull();
  expect(hrefs(page)).toHaveLength(3);
});

test('a barred link can be copied after the warning', async () => {
  const written: string[] = [];
  Object.assign(navigator, { clipboard: { writeText: async (text: string) => void written.push(text) } });
  let closed = 0;
  render(<BarredLinkDialog href="https://evil.example/path" onClose={() => (closed += 1)} />, { wrapper });
  const dialog = screen.getByRole('alertdialog');
  expect(within(dialog).getByText('https://evil.example/path')).toBeTruthy();
  expect(dialog.textContent).toContain('blocked \u2066evil.example\u2069');
  const copy = within(dialog).getByRole('button', { name: 'Copy anyway' });
  await act(async () => void fireEvent.click(copy));
  expect([written, closed]).toEqual([['https://evil.example/path'], 1]);
});
