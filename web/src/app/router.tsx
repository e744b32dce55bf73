import { createBrowserRouter, type RouteObject } from 'react-router-dom';
import { AppShell } from './AppShell.tsx';
import { RootLayout } from './RootLayout.tsx';
import { CrashScreen } from '../shell/CrashScreen.tsx';
import { receivedPath } from '../device/sharePaths.ts';
import { demoSecondPersonPath } from '../shell/knownPaths.ts';
import type { RouteHandle } from '../shell/routeHandle.ts';
import { lazyScreen } from '../ui/lazyComponents.tsx';
import { overlayHistory } from '../ui/useCloseOverlayOnBack.ts';
import { withTexts } from '../i18n/texts.ts';

const handle = (value: RouteHandle): RouteHandle => value;

const conversations = (list = ''): RouteObject[] => [
  {
    path: `${list}/chat/:id`,
    handle: handle({ hideTabs: true }),
    lazy: lazyScreen(async () => (await import('../chat/conversation/ConversationScreen.tsx')).ConversationScreen),
  },
  {
    path: `${list}/group-chat/:id`,
    handle: handle({ hideTabs: true }),
    lazy: lazyScreen(async () => (await import('../groups/GroupScreen.tsx')).GroupScreen),
  },
];

/** Route of the list of conversations, with the open one next to it. */
const chats = (): RouteObject => ({
  // The list stays mounted while conversations next to it change.
  lazy: lazyScreen(async () => (await import('./ChatsLayout.tsx')).ChatsLayout),
  children: [
    {
      index: true,
      path: '/',
      handle: handle({ title: 'chats.title' }),
      lazy: lazyScreen(async () => (await import('../chat/list/NoConversationSelected.tsx')).NoConversationSelected),
    },
    ...conversations(),
  ],
});

/**
 * Routes of message lists across all conversations, which keep their scroll position while conversations next to them
 * change.
 */
const messageLists = (): RouteObject[] => [
  {
    path: '/search',
    lazy: lazyScreen(async () => (await import('./SearchLayout.tsx')).SearchLayout),
    children: conversations('/search'),
  },
  {
    path: '/starred',
    lazy: lazyScreen(async () => (await import('./StarredLayout.tsx')).StarredLayout),
    children: conversations('/starred'),
  },
];

/** Routes of the user's profile, and of the settings list with its pages next to it. */
const settings = (): RouteObject => ({
  // The settings list stays mounted while its pages next to it change.
  lazy: lazyScreen(async () => (await import('./SettingsScreenWithPlan.tsx')).SettingsScreenWithPlan),
  handle: handle({ title: 'nav.profile' }),
  children: [
    { path: '/profile' },
    { path: '/settings/:page' },
    // Pages below set their own titles.
    {
      path: '/settings/brand',
      handle: handle({}),
      lazy: lazyScreen(async () => (await import('../meetings/brand/BrandScreen.tsx')).BrandScreen),
    },
    {
      path: '/settings/developer',
      handle: handle({}),
      lazy: lazyScreen(async () => (await import('../developer/room.ts')).DeveloperScreen),
    },
  ],
});

const billing = lazyScreen(async () => (await import('../billing/room.ts')).BillingScreens);

/** Routes of the legal notices, which signed-in users read inside the app. */
const legalPages = (): RouteObject[] =>
  (['privacy', 'terms'] as const).map((name) => ({
    path: `/${name}`,
    lazy: lazyScreen(async () => {
      const { LegalPage } = await withTexts(import('../landing/legal/LegalPage.tsx'));
      return () => (
        <div className="min-h-0 flex-1 overflow-y-auto">
          <LegalPage key={name} name={name} />
        </div>
      );
    }),
  }));

/** Creates the signed-in routes. Each screen is loaded when first needed. */
export function createRouter(): ReturnType<typeof createBrowserRouter> {
  const screens: RouteObject[] = [
    {
      // Fills the whole window, without tabs and rail.
      path: '/meeting/:id',
      ErrorBoundary: CrashScreen,
      HydrateFallback: () => null,
      lazy: lazyScreen(async () => (await import('./MeetingOrCallScreen.tsx')).MeetingOrCallScreen),
    },
    {
      Component: AppShell,
      ErrorBoundary: CrashScreen,
      HydrateFallback: () => null,
      children: [
        {
          ErrorBoundary: CrashScreen,
          children: [
            chats(),
            {
              path: '/contacts/:id?',
              handle: handle({ title: 'nav.contacts' }),
              lazy: lazyScreen(async () => (await import('../people/ContactsScreen.tsx')).ContactsScreen),
            },
            {
              lazy: lazyScreen(async () => (await import('../calls/CallsLayout.tsx')).CallsLayout),
              children: [
                {
                  path: '/calls',
                  lazy: lazyScreen(async () => (await import('../calls/NoCallSelected.tsx')).NoCallSelected),
                },
                {
                  path: '/calls/:id',
                  lazy: lazyScreen(async () => (await import('../calls/CallDetails.tsx')).CallDetails),
                },
              ],
            },
            ...messageLists(),
            {
              path: '/meetings/:id?',
              handle: handle({ title: 'nav.meetings' }),
              lazy: lazyScreen(async () => (await import('../meetings/MeetingsScreen.tsx')).MeetingsScreen),
            },
            {
              path: '/status',
              handle: handle({ title: 'nav.status' }),
              lazy: lazyScreen(async () => (await import('../status/StatusScreen.tsx')).StatusScreen),
            },
            {
              path: '/schedule',
              handle: handle({ title: 'nav.schedule' }),
              lazy: lazyScreen(async () => (await import('../social/room.ts')).ScheduleScreen),
            },
            settings(),
            ...['/payment/:outcome', '/team'].map((path) => ({ path, lazy: billing })),
            {
              // The list stays while the pages next to it change.
              path: '/admin',
              lazy: lazyScreen(async () => (await import('../admin/room.ts')).AdminScreen),
              children: [{ path: 'billing', lazy: billing }, { path: ':page?' }],
            },
            ...legalPages(),
            {
              path: demoSecondPersonPath,
              lazy: lazyScreen(
                async () =>
                  (await import('../account/secondPerson/DemoSecondPersonRedirect.tsx')).DemoSecondPersonRedirect,
              ),
            },
            {
              path: receivedPath,
              lazy: lazyScreen(async () => (await import('../share/ReceivedScreen.tsx')).ReceivedScreen),
            },
            {
              path: '/open',
              lazy: lazyScreen(async () => (await import('./OpenedLinkRedirect.tsx')).OpenedLinkRedirect),
            },
            {
              path: '*',
              handle: handle({ title: 'notFound.title' }),
              lazy: lazyScreen(async () => (await import('../shell/NotFoundScreen.tsx')).NotFoundScreen),
            },
          ],
        },
      ],
    },
  ];
  // A call continues on every screen.
  const router = createBrowserRouter([{ Component: RootLayout, HydrateFallback: () => null, children: screens }]);
  overlayHistory.follow({
    key: () => router.state.location.key,
    busy: () => router.state.navigation.state !== 'idle',
  });
  return router;
}
