import { Suspense } from 'react';
import { Outlet } from 'react-router-dom';
import { useStore } from 'zustand';
import { useAreCallsAvailable } from '../chat/calling/useAreCallsAvailable.ts';
import { useGroupNotices } from '../groups/useGroupNotices.ts';
import { featureStore } from '../session/features.ts';
import { useRevealApp } from '../shell/reveal.ts';
import { lazyOptional } from '../ui/lazyComponents.tsx';

const CallLayer = lazyOptional(async () => (await import('../calls/CallLayer.tsx')).CallLayer);

const RequestedPost = lazyOptional(async () => (await import('./SocialPostDialogHost.tsx')).SocialPostDialogHost);

/** Renders every screen, with ringing and ongoing calls over it. */
export function RootLayout() {
  useRevealApp();
  useGroupNotices();
  const exist = useAreCallsAvailable();
  const hasSocial = useStore(featureStore, (state) => state.features['social'] === true);
  return (
    <>
      <Outlet />
      {exist && (
        <Suspense>
          <CallLayer />
        </Suspense>
      )}
      {hasSocial && (
        <Suspense>
          <RequestedPost />
        </Suspense>
      )}
    </>
  );
}
