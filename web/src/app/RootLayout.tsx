import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { Outlet } from 'react-router-dom';
import { useStore } from 'zustand';
import { useAreCallsAvailable } from '../chat/calling/useAreCallsAvailable.ts';
import { useGroupNotices } from '../groups/useGroupNotices.ts';
import { enCall } from '../chat/calling/enCall.ts';
import { enGroup } from '../groups/enGroup.ts';
import { addWords } from '../i18n/i18n.ts';
import { featureStore } from '../session/features.ts';
import { useRevealApp } from '../shell/reveal.ts';
import { lazyOptional } from '../ui/lazyComponents.tsx';

const CallLayer = lazyOptional(async () => (await import('../calls/CallLayer.tsx')).CallLayer);

const RequestedPost = lazyOptional(async () => (await import('./SocialPostDialogHost.tsx')).SocialPostDialogHost);

/** Renders every screen, with ringing and ongoing calls over it. */
export function RootLayout() {
  const { i18n } = useTranslation();
  useRevealApp();
  // Any screen may have a call button or a group message, and the phone sign-in has no room for their texts.
  addWords(i18n, 'call', enCall);
  addWords(i18n, 'group', enGroup);
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
