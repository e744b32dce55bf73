import { lazy, Suspense, useEffect, useLayoutEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useStore } from 'zustand';
import { sessionStore } from '../state/session.ts';
import { ErrorState } from '../ui/ErrorState.tsx';
import { checkSession } from './checkSession.ts';
import { LoadingScreen } from './LoadingScreen.tsx';
import { SignedOut } from './SignedOut.tsx';

export const loadSignedIn = () => import('./SignedIn.tsx');

const SignedIn = lazy(async () => ({ default: (await loadSignedIn()).SignedIn }));

/** Decides which of the app's faces shows: loading, signed out, signed in, or nobody answered. */
export function SessionGate() {
  const status = useStore(sessionStore, (state) => state.status);
  // Until our first paint the document shows the landing page or its loading line; from here on
  // both are ours to draw, and the prerendered ones go, with their ids and links.
  useLayoutEffect(() => {
    document.documentElement.dataset.view = 'app';
    document.getElementById('landing')?.remove();
    document.getElementById('loading')?.remove();
  }, []);
  if (status === 'unknown') return <LoadingScreen />;
  if (status === 'unreachable') return <Unreachable />;
  return (
    // Each face has a boundary of its own: within one, the face that goes would live on, hidden and connected, until the
    // code of the one that comes is here.
    <Suspense key={status} fallback={<LoadingScreen />}>
      {status === 'signedIn' ? <SignedIn /> : <SignedOut />}
    </Suspense>
  );
}

function Unreachable() {
  const { t } = useTranslation();
  useEffect(() => {
    const again = () => void checkSession();
    addEventListener('online', again);
    return () => removeEventListener('online', again);
  }, []);
  return (
    <main className="grid h-dvh place-items-center bg-page">
      <ErrorState title={t('errors.network')} onRetry={() => void checkSession()} />
    </main>
  );
}
