/** @jest-environment jsdom */
import type { SocialPlatformState } from '@nolo/api';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen, within } from '@testing-library/react';
import { TestProviders } from '../testing/TestProviders.tsx';
import { PlatformPicker } from './PlatformPicker.tsx';

afterEach(cleanup);

const platform = (name: string, connected: boolean, offered = true): SocialPlatformState => ({
  id: name.toLowerCase() as SocialPlatformState['id'],
  name,
  connected,
  offered,
  connectBy: 'window',
  servers: [],
  accounts: [],
  limits: {
    text: 300,
    needsMedia: false,
    images: 4,
    imageTypes: [],
    imageBytes: 0,
    videos: 1,
    videoTypes: [],
    videoBytes: 0,
    altText: 0,
  },
});

test('what can be posted to comes first, and else everything keeps its order', () => {
  const platforms = [
    platform('Twitter', false),
    platform('Facebook', true),
    platform('LinkedIn', false),
    platform('Threads', false, false),
    platform('Bluesky', true),
  ];
  render(
    <QueryClientProvider client={new QueryClient()}>
      <PlatformPicker platforms={platforms} chosen={[]} onChoose={() => undefined} />
    </QueryClientProvider>,
    { wrapper: TestProviders },
  );
  const names = screen
    .getAllByRole('listitem')
    .map((row) => within(row).getByText(/^(Twitter|Facebook|LinkedIn|Bluesky)$/));
  expect(names.map(({ textContent }) => textContent)).toEqual(['Facebook', 'Bluesky', 'Twitter', 'LinkedIn']);
});
