import type { Self } from '@nolo/api';
import './styles.css';
import './words.ts';
import { startTransition, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { I18nextProvider } from 'react-i18next';
import { connectEarly } from '../api/earlySocket.ts';
import { addWords, applyLanguage, createI18n } from '../i18n/i18n.ts';
import type { Language } from '../i18n/language.ts';
import { loadConfig } from '../session/config.ts';
import { eraseDrafts } from '../session/ownKeys.ts';
import { sessionStore } from '../session/session.ts';
import { hasSessionMarker } from '../session/sessionMarker.ts';
import { checkSession, forgetQuestions } from '../session/checkSession.ts';
import { CrashBoundary } from './CrashBoundary.tsx';
import { LateToaster } from './LateToaster.tsx';
import { followTheme } from '../ui/followTheme.ts';
import { nextTurn } from '../ui/turns.ts';
import { onErased } from '../session/otherTabs.ts';
import { loadSignedIn, SessionGate } from './SessionGate.tsx';
import { loadPhoneSignIn } from './SignedOut.tsx';

/** Another tab signed out: this one shows nothing of the person any more, and writes nothing back. */
function leaveWithOtherTabs(): void {
  onErased(() => {
    forgetQuestions();
    sessionStore.getState().signedOut();
    eraseDrafts(localStorage);
    sessionStorage.clear();
  });
}

/** Whom the device remembers; the code for that comes only where someone was signed in. */
async function remembered(): Promise<Self | undefined> {
  if (!hasSessionMarker(localStorage, document.cookie)) return undefined;
  try {
    const { openFromDevice } = await import('../chat/storage/openFromDevice.ts');
    return await openFromDevice();
  } catch {
    return undefined;
  }
}

/** What refusals say comes after what is shown first; until it is here they speak in the server's own words. */
async function addRefusals(i18n: ReturnType<typeof createI18n>): Promise<void> {
  const { enRefusals } = await import('../i18n/enRefusals.ts');
  addWords(i18n, 'refusals', enRefusals);
}

/** In English where the words of another language cannot be had. */
async function speak(i18n: ReturnType<typeof createI18n>, language: Language): Promise<void> {
  const root = document.documentElement;
  const load = async (other: Language) =>
    other === 'de' ? (await import('./german.ts')).german : (await import('../i18n/pseudo.ts')).pseudoArabic;
  await applyLanguage(i18n, language, root, load).catch(() => applyLanguage(i18n, 'en', root, load));
}

/** Where windows end in which one signs in again, or connects a social account; what they say comes when it is asked for. */
const returns = /^\/(proof|social-connected)$/;

/**
 * Starts the app in the place of the landing page. `phone` opens the phone form at once, for whom
 * the landing page has already found signed out; `resume` asks who is signed in first.
 */
export async function startApp({ entry, language }: { entry: 'resume' | 'phone'; language: Language }): Promise<void> {
  const root = document.documentElement;
  followTheme(root, localStorage);
  // The first one that reads the code has done enough for one turn; so has each of the next.
  await nextTurn();
  const i18n = createI18n();
  await nextTurn();
  await speak(i18n, language);

  const place = document.getElementById('app');
  if (!place) throw new Error('The document has no #app element.');
  if (returns.test(location.pathname)) return (await import('./showReturn.tsx')).showReturn(place, i18n);

  leaveWithOtherTabs();
  void loadConfig();
  if (entry === 'phone') {
    sessionStore.getState().signedOut();
    sessionStore.getState().openPhoneSignIn();
    // The landing page stays on screen until the form is here to replace it.
    await loadPhoneSignIn();
  } else {
    // The signed-in screens come over the line while the server is being asked.
    if (hasSessionMarker(localStorage, document.cookie)) {
      connectEarly();
      void loadSignedIn();
    }
    void checkSession(remembered());
  }

  await nextTurn();
  const tree = createRoot(place);
  // In slices, between which the browser sees to what else there is.
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
  // Without a network, and not kept yet, the server's words are as good as any.
  void addRefusals(i18n).catch(() => undefined);
}
