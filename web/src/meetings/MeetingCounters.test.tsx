/** @jest-environment jsdom */
import { cleanup, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { featureStore } from '../session/features.ts';
import { TestProviders } from '../testing/TestProviders.tsx';
import { MeetingCounters } from './MeetingCounters.tsx';
import enMeetings from '../../locales/en/meetings.json' with { type: 'json' };

afterEach(cleanup);

/** Returns the text above this label. */
const over = (label: string) => screen.getByText(label).previousElementSibling?.textContent;

test('a failed count has no number, and is not awaited', () => {
  featureStore.getState().setFeatures({ groups: true, calls: true });
  render(
    <MemoryRouter>
      <MeetingCounters counts="failed" groups={{ count: 20, exact: false }} />
    </MemoryRouter>,
    { wrapper: TestProviders },
  );
  expect([enMeetings.liveNow, enMeetings.scheduled, enMeetings.groupChats].map(over)).toEqual(['–', '–', '20+']);
});
