import type { ReactNode } from 'react';
import { startTransition, Suspense, useEffect, useLayoutEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useStore } from 'zustand';
import { sessionStore } from '../session/session.ts';
import { ErrorState } from '../ui/ErrorState.tsx';
import { checkSession } from '../session/checkSession.ts';
import { LoadingScreen } from '../shell/LoadingScreen.tsx';
import { reveal, useReveal } from '../shell/reveal.ts';
import { SignedOut } from './SignedOut.tsx';
import { part } from '../ui/parts.tsx';

const KeepAccount = part(async () => (await import('../account/closing/KeepAccount.tsx')).KeepAccount);

export const loadSignedIn = () => import('./SignedIn.tsx');

/**
 * The signed-in face, once its code is here. Without Suspense: React keeps back for 300 ms what follows a fallback, and
 * the chats are on the device.
 */
function SignedInFace() {
  const [loaded, setLoaded] = useState<{ face?: ReactNode; failure?: Error }>({});
  useEffect(() => {
    loadSignedIn()
      .then(async ({ SignedIn, prepareSignedIn }) => {
        const parts = await prepareSignedIn();
        // In slices: whoever presses or types meanwhile does not wait for all of it.
        startTransition(() => setLoaded({ face: <SignedIn {...parts} /> }));
      })
      .catch((cause: unknown) => setLoaded({ failure: new Error('The app could not be loaded.', { cause }) }));
  }, []);
  // For the boundary that says it and offers to load again.
  if (loaded.failure !== undefined) throw loaded.failure;
  return loaded.face ?? <LoadingScreen />;
}

/** Decides which of the app's faces shows: loading, signed out, signed in, to be deleted, or nobody answered. */
export function SessionGate() {
  const status = useStore(sessionStore, (state) => state.status);
  const deletesAt = useStore(sessionStore, (state) => state.user?.deletesAt);
  // Until our first paint the document shows the landing page or its loading line, which are ours to draw from here on.
  // Its frame of the first screen is better than our loading line, and stays until there is a screen.
  useLayoutEffect(() => {
    if (document.getElementById('frame') === null) reveal();
  }, []);
  if (status === 'unknown') return <LoadingScreen />;
  if (status === 'unreachable') return <Unreachable />;
  if (status === 'signedIn' && deletesAt !== undefined) {
    return (
      <Suspense fallback={<LoadingScreen />}>
        <Revealed>
          <KeepAccount deletesAt={deletesAt} />
        </Revealed>
      </Suspense>
    );
  }
  if (status === 'signedIn') return <SignedInFace />;
  return (
    // With a key of its own, or the face that goes would live on, hidden, until the code of the one that comes is here.
    <Suspense key={status} fallback={<LoadingScreen />}>
      <Revealed>
        <SignedOut />
      </Revealed>
    </Suspense>
  );
}

/** Inside what it may have to wait for. */
function Revealed({ children }: { children: ReactNode }) {
  useReveal();
  return children;
}

function Unreachable() {
  const { t } = useTranslation();
  useReveal();
  useEffect(() => {
    const again = () => void checkSession();
    addEventListener('online', again);
    return () => removeEventListener('online', again);
  }, []);
  return (
    <main className="grid h-dvh place-items-center bg-page">
      <ErrorState whole title={t('errors.network')} onRetry={() => void checkSession()} />
    </main>
  );
}
