/** @jest-environment jsdom */
import { cleanup, render, screen } from '@testing-library/react';
import { Route, Routes, useNavigate } from 'react-router-dom';
import { useEffect } from 'react';
import { testChat } from '../testing/ChatTestProviders.tsx';
import { MeetingOrCallScreen } from './MeetingOrCallScreen.tsx';

function OpenCall() {
  const navigate = useNavigate();
  useEffect(() => void navigate('/meeting/call-me-1'), [navigate]);
  return null;
}

beforeEach(() => {
  Object.assign(globalThis, { RTCPeerConnection: class {} });
});
afterEach(() => {
  cleanup();
  Reflect.deleteProperty(globalThis, 'RTCPeerConnection');
});

test('a call whose code is on its way has its frame, and not the startup loading line', async () => {
  render(
    <Routes>
      <Route path="/meeting/:id" element={<MeetingOrCallScreen />} />
      <Route path="*" element={<OpenCall />} />
    </Routes>,
    { wrapper: testChat().wrapper },
  );
  expect(await screen.findByTestId('stage-skeleton')).toBeTruthy();
  expect(screen.queryByText('Loading Nolo...')).toBeNull();
});
