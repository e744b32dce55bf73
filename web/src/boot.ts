/**
 * The only script of the landing page: a few hundred bytes that decide which face of the document shows, before its
 * first paint, and load the app if a user is signed in or about to sign in.
 */
import { drawFirstPaintMessages } from './chat/conversation/firstPaintMessages.ts';
import { conversationIdOf, decideBootSkeleton, decideView, attachLandingHandlers } from './bootView.ts';
import { accountOfKeysDatabase } from './device/accountNames.ts';
import { formatClockTime, localeFor } from './i18n/dates.ts';
import { detectLanguage, languageStorageKey } from './i18n/language.ts';
import { prepareIntl } from './i18n/prepareIntl.ts';
import { captureInstallOffer } from './installOffer.ts';
import { restoreAppearanceFromCookie } from './session/appearanceCookie.ts';
import { requestConversationEarly } from './session/earlyConversation.ts';
import { requestSessionEarly } from './session/takeSessionAnswer.ts';
import { hasSessionMarker, readPhoneMarker, sessionMarkerStorageKey } from './session/sessionMarker.ts';
import { loadFont, applyStoredFont } from './ui/font.ts';
import { densityStorageKey, textSizeStorageKey } from './ui/appearanceKeys.ts';
import { parseTheme, themeAttribute, themeStorageKey } from './ui/theme.ts';
import { yieldToBrowser } from './ui/scheduler.ts';

/** Milliseconds after the document's load event at which a device without a stored app starts to store it. */
const firstKeepMs = 3_000;

restoreAppearanceFromCookie(document, localStorage);
const root = document.documentElement;
const hasSession = hasSessionMarker(localStorage, document.cookie);
const theme = themeAttribute(parseTheme(localStorage.getItem(themeStorageKey)));
if (theme !== null) root.dataset.theme = theme;
if (localStorage.getItem(densityStorageKey) === 'compact') root.dataset.density = 'compact';
const textSize = localStorage.getItem(textSizeStorageKey);
if (textSize !== null) root.dataset.text = textSize;
applyStoredFont(root, localStorage);

const language = detectLanguage(location.search, localStorage.getItem(languageStorageKey), navigator.languages);

/** Links the manifest that systems read of an installed app. Late, so that nothing visible waits for it. */
function linkManifest(): void {
  const link = document.createElement('link');
  link.rel = 'manifest';
  link.href = language === 'de' ? '/manifest.de.webmanifest' : '/manifest.webmanifest';
  document.head.append(link);
}

/** Shows the document's own texts in both languages, until the app is loaded. */
function showLoadingText(what: 'loading' | 'failed'): void {
  const loadingElement = document.getElementById('loading');
  const text = loadingElement?.dataset[language === 'de' ? `${what}De` : what];
  if (loadingElement && text !== undefined) loadingElement.textContent = text;
}

/** Shows the frame of the first screen before the app's code is loaded. Returns true if there is one. */
function showFrame(): boolean {
  const name = decideBootSkeleton({
    path: location.pathname,
    hasSession,
    phone: readPhoneMarker(localStorage) !== null,
  });
  const template = document.getElementById(`${name}-${language}`);
  if (!(template instanceof HTMLTemplateElement)) return false;
  const frame = document.createElement('div');
  frame.id = 'frame';
  frame.className = template.id;
  frame.append(template.content);
  document.body.append(frame);
  root.dataset.frame = name;
  return true;
}

/** Maximum wait for a paint, in milliseconds, whatever the browser does. */
const paintWithinMs = 200;

/** Runs after the document's first paint, which must not wait for the app's code. */
function afterPaint(run: () => void): void {
  let once = (): void => {
    once = () => undefined;
    run();
  };
  // A page in the background is not painted.
  if (document.hidden || !PerformanceObserver.supportedEntryTypes.includes('paint')) return once();
  new PerformanceObserver((seen, observer) => {
    if (seen.getEntriesByName('first-contentful-paint').length === 0) return;
    observer.disconnect();
    once();
  }).observe({ type: 'paint', buffered: true });
  setTimeout(() => once(), paintWithinMs);
}

async function loadApp(entry: 'resume' | 'phone'): Promise<void> {
  if (entry === 'resume' && hasSession) {
    await loadFirstScreen();
    void prepareIntl('dates');
  } else if (entry === 'phone' || readPhoneMarker(localStorage) !== null) loadPhoneForm();
  // A frame and its app must not share a slow connection with the font, which is loaded after them (shell/reveal.ts).
  if (root.dataset.frame === undefined) loadFont(document, localStorage).catch(ignore);
  import('./app/main.tsx')
    .then(({ startApp }) => startApp({ entry, language }))
    .catch(() => {
      root.dataset.view = 'loading';
      document.getElementById('frame')?.remove();
      delete root.dataset.frame;
      showLoadingText('failed');
    });
}

// Callers that need the code report the loading error.
const ignore = () => undefined;

/*
 * Code of the first screen, loaded in parallel with the app's core: after it, it would be later by a round trip or two.
 */

function loadPhoneForm(): void {
  import('./account/signIn/PhoneSignIn.tsx').catch(ignore);
}

/** Loads the files one task after another: requesting all of them at once blocks a phone's input for too long. */
async function loadFirstScreen(): Promise<void> {
  import('./app/SignedIn.tsx').catch(ignore);
  await yieldToBrowser();
  import('./app/ChatsLayout.tsx').catch(ignore);
  await yieldToBrowser();
  if (!location.pathname.startsWith('/chat/')) return;
  import('./chat/conversation/ConversationScreen.tsx').catch(ignore);
  await yieldToBrowser();
}

/**
 * Requests the conversation in the address. The returned function shows the newest messages in the frame, and resolves
 * to true if some can be shown without the app's code.
 */
function prefetchEarlyWords(): (() => Promise<boolean>) | undefined {
  const id = conversationIdOf(location.pathname);
  // A returning user has the chats on the device, whose databases take longer to list than to read.
  if (id === undefined || localStorage.getItem(sessionMarkerStorageKey) !== null) return undefined;
  const earlyConversation = requestConversationEarly(id);
  // Takes as long as the answers, and saves the rendering thread the cost of formatting its first time of day.
  const prepared = prepareIntl('dates');
  const clock = (at: number) => formatClockTime(at, localeFor(language, navigator.languages));
  return async () => {
    const conversation = await earlyConversation.row;
    if (conversation?.type !== 'direct') return false;
    const [page] = await Promise.all([earlyConversation.page, prepared]);
    const frame = document.getElementById('frame');
    return frame !== null && drawFirstPaintMessages(frame, { conversation, page }, clock);
  };
}

/**
 * Maximum wait of the app's code in milliseconds: it is fifteen times as large as a page of messages, which would
 * otherwise arrive as late.
 */
const wordsWithinMs = 500;

/** Runs once the messages are on the screen, or the wait for them is over. */
function afterWords(words: () => Promise<boolean>, run: () => void): void {
  let once = (): void => {
    once = () => undefined;
    run();
  };
  const late = setTimeout(() => once(), wordsWithinMs);
  words()
    .catch(() => false)
    .then((drawn) => {
      clearTimeout(late);
      // A page in the background is not painted.
      if (!drawn || document.hidden) once();
      // The second frame begins after the first one, with the messages, has been sent to the screen.
      else requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => once())));
    })
    .catch(ignore);
}

function showLanding(): void {
  const returnPath = location.pathname + location.search + location.hash;
  attachLandingHandlers(document, returnPath, () => void loadApp('phone'));
  afterPaint(() => void loadFont(document, localStorage).catch(ignore));
}

/** Erases keys that a former session left here, 30 days after its end. Other devices load no code for it. */
async function eraseFormerKeys(): Promise<void> {
  const databases = await indexedDB.databases();
  if (!databases.some(({ name }) => accountOfKeysDatabase(name) !== undefined)) return;
  const { eraseEndedKeys } = await import('./device/eraseEndedKeys.ts');
  // Clock: the device is asked only how many days passed.
  await eraseEndedKeys(Date.now(), localStorage);
}

captureInstallOffer(window);
addEventListener('load', () => {
  const register = () => {
    linkManifest();
    if (!hasSession) eraseFormerKeys().catch(ignore);
    // If the user leaves the page or is offline, the worker is registered another time.
    import('./registerServiceWorker.ts').then(({ registerServiceWorker }) => registerServiceWorker()).catch(ignore);
  };
  // The first worker fetches and stores the whole app, which must not slow down the first screen.
  if (!('serviceWorker' in navigator) || navigator.serviceWorker.controller) register();
  else setTimeout(register, firstKeepMs);
});

if (decideView({ path: location.pathname, search: location.search, hasSession, language }) === 'app') {
  root.lang = language;
  // Runs before the first paint. If the user opens the phone form, the landing page stays until the form replaces it.
  root.dataset.view = 'loading';
  showLoadingText('loading');
  const framed = showFrame();
  const words = hasSession && framed ? prefetchEarlyWords() : undefined;
  const load = () => {
    if (words) requestSessionEarly();
    void loadApp('resume');
  };
  // Messages are shown before the app knows the user.
  if (hasSession && !words) requestSessionEarly();
  if (words) afterPaint(() => afterWords(words, load));
  else if (framed) afterPaint(load);
  else load();
} else if (document.readyState === 'loading') {
  document.addEventListener('DOMContentLoaded', showLanding, { once: true });
} else {
  showLanding();
}
