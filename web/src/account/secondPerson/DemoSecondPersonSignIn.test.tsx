/** @jest-environment jsdom */
import { act, cleanup, render, screen } from '@testing-library/react';
import { configStore } from '../../session/config.ts';
import { sessionStore } from '../../session/session.ts';
import { TestProviders } from '../../testing/TestProviders.tsx';
import { testUser } from '../../testing/testMeeting.ts';
import { DemoSecondPersonSignIn } from './DemoSecondPersonSignIn.tsx';
import { DemoSecondPersonOffer } from './DemoSecondPersonOffer.tsx';
import { getDemoSecondWindowAddress } from './demoSecondWindow.ts';

const self = { ...testUser('Ada'), id: '01a21436-71f0-760c-ac8c-4733a2e9409f' };
const production = { demoMode: false, version: '', limits: {}, features: {} as never };
const requests: string[] = [];

beforeEach(() => {
  requests.length = 0;
  globalThis.fetch = (async (path: string) => {
    requests.push(path);
    return { ok: true, status: 200, headers: new Headers(), json: async () => production } as unknown as Response;
  }) as unknown as typeof fetch;
  AbortSignal.timeout ??= () => new AbortController().signal;
  AbortSignal.any ??= () => new AbortController().signal;
  sessionStore.setState({ status: 'signedIn', user: self as never });
});
afterEach(cleanup);

test('production has no page for a second person, and signs nobody in', async () => {
  location.hash = new URL(
    getDemoSecondWindowAddress({ protocol: 'http:', hostname: 'localhost', port: '' }, self.id) ?? '',
  ).hash;
  render(<DemoSecondPersonSignIn />, { wrapper: TestProviders });
  await screen.findByText('404 Page Not Found');
  expect(requests).toEqual(['/api/config']);
});

test('a second window is offered only in demo mode', () => {
  configStore.setState({ config: production });
  const { rerender } = render(<DemoSecondPersonOffer />, { wrapper: TestProviders });
  expect(screen.queryByRole('link')).toBeNull();

  act(() => configStore.setState({ config: { ...production, demoMode: true, demoCode: '424242' } }));
  rerender(<DemoSecondPersonOffer />);
  // The test page is at localhost.
  expect(screen.getByRole('link', { name: 'Open a second window as Sam' }).getAttribute('href')).toContain(
    'http://127.0.0.1/second-person#with=',
  );
});
