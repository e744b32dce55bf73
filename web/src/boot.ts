/**
 * The only script of the landing page: a few hundred bytes that decide which face of the document
 * shows, before its first paint, and load the app where somebody is or is about to be signed in.
 */
import { drawEarlyWords } from './chat/conversation/earlyWords.ts';
import { conversationIdOf, decideFrame, decideView, wireLanding } from './bootView.ts';
import { clockTime, localeFor } from './i18n/dates.ts';
import { languageOf, languageStorageKey } from './i18n/language.ts';
import { prepareIntl } from './i18n/prepareIntl.ts';
import { captureInstallOffer } from './installOffer.ts';
import { takeLook } from './session/carriedLook.ts';
import { askConversationEarly } from './session/earlyConversation.ts';
import { askEarly } from './session/sessionAnswer.ts';
import { hasSessionMarker, phoneMarker, sessionStorageKey } from './session/sessionMarker.ts';
import { loadFont, putOnKeptFont } from './ui/font.ts';
import { densityStorageKey, textSizeStorageKey } from './ui/lookKeys.ts';
import { parseTheme, themeAttribute, themeStorageKey } from './ui/theme.ts';
import { nextTurn } from './ui/turns.ts';

/** After this long, from when the document was loaded, a device that keeps nothing of the app yet begins to. */
const firstKeepMs = 3_000;

takeLook(document, localStorage);
const root = document.documentElement;
const marked = hasSessionMarker(localStorage, document.cookie);
const theme = themeAttribute(parseTheme(localStorage.getItem(themeStorageKey)));
if (theme !== null) root.dataset.theme = theme;
if (localStorage.getItem(densityStorageKey) === 'compact') root.dataset.density = 'compact';
const textSize = localStorage.getItem(textSizeStorageKey);
if (textSize !== null) root.dataset.text = textSize;
putOnKeptFont(root, localStorage);

const language = languageOf(location.search, localStorage.getItem(languageStorageKey), navigator.languages);

/** What systems learn of the app where it is installed, which nothing that is shown has to wait behind. */
function linkManifest(): void {
  const link = document.createElement('link');
  link.rel = 'manifest';
  link.href = language === 'de' ? '/manifest.de.webmanifest' : '/manifest.webmanifest';
  document.head.append(link);
}

/** What the document says until the app is here stands in it, in both languages. */
function say(what: 'loading' | 'failed'): void {
  const line = document.getElementById('loading');
  const text = line?.dataset[language === 'de' ? `${what}De` : what];
  if (line && text !== undefined) line.textContent = text;
}

/** The frame of what is shown first stands there before the app's code does; answers whether there is one. */
function showFrame(): boolean {
  const name = decideFrame({ path: location.pathname, marked, phone: phoneMarker(localStorage) !== null });
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

/** Nobody waits for longer, whatever the browser does with what it was given to paint. */
const paintWithinMs = 200;

/** What stands in the document is seen first: the app's code is nothing that its first paint has to wait for. */
function afterPaint(run: () => void): void {
  let once = (): void => {
    once = () => undefined;
    run();
  };
  // Nobody sees a page in the background, and it is not painted.
  if (document.hidden || !PerformanceObserver.supportedEntryTypes.includes('paint')) return once();
  new PerformanceObserver((seen, observer) => {
    if (seen.getEntriesByName('first-contentful-paint').length === 0) return;
    observer.disconnect();
    once();
  }).observe({ type: 'paint', buffered: true });
  setTimeout(() => once(), paintWithinMs);
}

async function loadApp(entry: 'resume' | 'phone'): Promise<void> {
  if (entry === 'resume' && marked) {
    await loadFirstScreen();
    void prepareIntl('dates');
  } else if (entry === 'phone' || phoneMarker(localStorage) !== null) loadPhoneForm();
  // A frame and its app do not share a slow line with the font, which follows them (shell/reveal.ts).
  if (root.dataset.frame === undefined) loadFont(document, localStorage).catch(ignore);
  import('./app/main.tsx')
    .then(({ startApp }) => startApp({ entry, language }))
    .catch(() => {
      root.dataset.view = 'loading';
      document.getElementById('frame')?.remove();
      delete root.dataset.frame;
      say('failed');
    });
}

// Whoever needs it says that it could not be loaded.
const ignore = () => undefined;

/* What the first screen is drawn with comes beside the app's core: asked for behind it, it is later by a round trip or two. */

function loadPhoneForm(): void {
  import('./account/signIn/PhoneSignIn.tsx').catch(ignore);
}

/** Turn by turn: to ask for all of these files at once takes a phone as long as it may not hear what is pressed. */
async function loadFirstScreen(): Promise<void> {
  import('./app/SignedIn.tsx').catch(ignore);
  await nextTurn();
  import('./app/ChatsLayout.tsx').catch(ignore);
  await nextTurn();
  if (!location.pathname.startsWith('/chat/')) return;
  import('./chat/conversation/ConversationScreen.tsx').catch(ignore);
  await nextTurn();
}

/**
 * Asks for the conversation that the address names. What it answers with puts the newest words into the frame, and says
 * whether there are such as need no code to be shown.
 */
function askForWords(): (() => Promise<boolean>) | undefined {
  const id = conversationIdOf(location.pathname);
  // Whoever was in here before has their chats on the device, whose databases take longer to be listed than to be read.
  if (id === undefined || localStorage.getItem(sessionStorageKey) !== null) return undefined;
  const asked = askConversationEarly(id);
  // As long on its way as the answers, and spares the thread that draws them what the first time of day takes.
  const prepared = prepareIntl('dates');
  const clock = (at: number) => clockTime(at, localeFor(language, navigator.languages));
  return async () => {
    const conversation = await asked.row;
    if (conversation?.type !== 'direct') return false;
    const [page] = await Promise.all([asked.page, prepared]);
    const frame = document.getElementById('frame');
    return frame !== null && drawEarlyWords(frame, { conversation, page }, clock);
  };
}

/** The app's code is fifteen times as much as a page of words, and beside it these come as late: it waits for so long. */
const wordsWithinMs = 500;

/** Runs once the words stand on the screen, or are not to be waited for. */
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
      // Nothing is painted of a page in the background.
      if (!drawn || document.hidden) once();
      // The second frame begins once the first, with the words, is on its way to the screen.
      else requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => once())));
    })
    .catch(ignore);
}

function showLanding(): void {
  const returnPath = location.pathname + location.search + location.hash;
  wireLanding(document, returnPath, () => void loadApp('phone'));
  afterPaint(() => void loadFont(document, localStorage).catch(ignore));
}

captureInstallOffer(window);
addEventListener('load', () => {
  const register = () => {
    linkManifest();
    // Whoever leaves the page meanwhile, or has no network, is given it another time.
    import('./registerServiceWorker.ts').then(({ registerServiceWorker }) => registerServiceWorker()).catch(ignore);
  };
  // The first one fetches the whole app to keep it, which is not to be in the way of what is shown first.
  if (!('serviceWorker' in navigator) || navigator.serviceWorker.controller) register();
  else setTimeout(register, firstKeepMs);
});

if (decideView({ path: location.pathname, search: location.search, marked, language }) === 'app') {
  root.lang = language;
  // Before anything is painted. Where somebody opens the phone form instead, the landing page stays until that replaces it.
  root.dataset.view = 'loading';
  say('loading');
  const framed = showFrame();
  const words = marked && framed ? askForWords() : undefined;
  const load = () => {
    if (words) askEarly();
    void loadApp('resume');
  };
  // Words are shown before the app knows whose they are.
  if (marked && !words) askEarly();
  if (words) afterPaint(() => afterWords(words, load));
  else if (framed) afterPaint(load);
  else load();
} else if (document.readyState === 'loading') {
  document.addEventListener('DOMContentLoaded', showLanding, { once: true });
} else {
  showLanding();
}
