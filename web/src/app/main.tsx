import type { Self } from '@nolo/api';
import './styles.css';
import { startTransition, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { I18nextProvider } from 'react-i18next';
import { openEarlySocket } from '../api/earlySocket.ts';
import { applyLanguage, createI18n } from '../i18n/i18n.ts';
import type { Language } from '../i18n/language.ts';
import { withTexts } from '../i18n/texts.ts';
import { loadConfig } from '../session/config.ts';
import { eraseDrafts } from '@nolo/client/chat/draftKeys';
import { sessionStore } from '../session/session.ts';
import { hasSessionMarker } from '../session/sessionMarker.ts';
import { checkSession, discardPendingChecks } from '../session/checkSession.ts';
import { CrashBoundary } from './CrashBoundary.tsx';
import { LateToaster } from './LateToaster.tsx';
import { syncTheme } from '../ui/syncTheme.ts';
import { yieldToBrowser } from '../ui/scheduler.ts';
import { onDeviceErased } from '../session/otherTabs.ts';
import { loadSignedIn, SessionGate } from './SessionGate.tsx';
import { loadPhoneSignIn } from './SignedOut.tsx';

/** Handles a sign-out in another tab: this one shows nothing of the user and writes nothing back. */
function leaveWithOtherTabs(): void {
  onDeviceErased(() => {
    discardPendingChecks();
    sessionStore.getState().signedOut();
    eraseDrafts(localStorage);
    sessionStorage.clear();
  });
}

/** Returns the user stored on the device; loads the code for that only if a user was signed in. */
async function remembered(): Promise<Self | undefined> {
  if (!hasSessionMarker(localStorage, document.cookie)) return undefined;
  try {
    const { loadStoredUser: openFromDevice } = await import('../chat/storage/storedAccount.ts');
    return await openFromDevice();
  } catch {
    return undefined;
  }
}

/** Sets the language; English if the texts of another language cannot be loaded. */
async function speak(i18n: ReturnType<typeof createI18n>, language: Language): Promise<void> {
  const root = document.documentElement;
  const load = async (other: Language) =>
    other === 'de' ? (await import('./german.ts')).german : (await import('../i18n/pseudo.ts')).pseudoArabic;
  await applyLanguage(i18n, language, root, load).catch(() => applyLanguage(i18n, 'en', root, load));
}

/** Addresses where windows end that sign in again or connect a social account; their texts are loaded on demand. */
const returns = /^\/(proof|social-connected)$/;

/**
 * Starts the app in place of the landing page. `phone` opens the phone form at once, if the landing page has already
 * found no session; `resume` first queries who is signed in.
 */
export async function startApp({ entry, language }: { entry: 'resume' | 'phone'; language: Language }): Promise<void> {
  const root = document.documentElement;
  syncTheme(root, localStorage);
  // Ends the task, because parsing this code was enough work for one; so is each next step.
  await yieldToBrowser();
  const i18n = createI18n();
  await yieldToBrowser();
  await speak(i18n, language);

  const place = document.getElementById('app');
  if (!place) throw new Error('The document has no #app element.');
  if (returns.test(location.pathname)) {
    const { renderReturnPage } = await withTexts(import('./renderReturnPage.tsx'));
    return renderReturnPage(place, i18n);
  }

  leaveWithOtherTabs();
  void loadConfig();
  if (entry === 'phone') {
    sessionStore.getState().signedOut();
    sessionStore.getState().openPhoneSignIn();
    // The landing page stays on screen until the form is ready to replace it.
    await loadPhoneSignIn();
  } else {
    // Loads the signed-in screens while the server is queried.
    if (hasSessionMarker(localStorage, document.cookie)) {
      openEarlySocket();
      void loadSignedIn();
    }
    void checkSession(remembered());
  }

  await yieldToBrowser();
  const tree = createRoot(place);
  // Renders in slices, between which the browser handles other work.
  startTransition(() =>
    tree.render(
      <StrictMode>
        <I18nextProvider i18n={i18n}>
          <CrashBoundary>
            <SessionGate />
          </CrashBoundary>
          <LateToaster />
        </I18nextProvider>
      </StrictMode>,
    ),
  );
  // The server's own texts are good enough until these have loaded, and offline.
  withTexts(import('../i18n/refusalsTexts.ts')).catch(() => undefined);
}
