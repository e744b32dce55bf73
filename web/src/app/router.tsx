import { createBrowserRouter } from 'react-router-dom';
import type { RouteObject } from 'react-router-dom';
import { AppShell } from './AppShell.tsx';
import { CallHost } from './CallHost.tsx';
import { CrashScreen } from '../shell/CrashScreen.tsx';
import { receivedPath } from '../device/received.ts';
import { secondPersonPath } from '../shell/knownPaths.ts';
import type { RouteHandle } from '../shell/routeHandle.ts';
import { screen } from '../ui/parts.tsx';
import { overlays } from '../ui/useOverlay.ts';

const handle = (value: RouteHandle): RouteHandle => value;

/** What was said in a conversation, beside the list at that address. */
const conversations = (list = ''): RouteObject[] => [
  {
    path: `${list}/chat/:id`,
    handle: handle({ hideTabs: true }),
    lazy: screen(async () => (await import('../chat/conversation/ConversationScreen.tsx')).ConversationScreen),
  },
  {
    path: `${list}/group-chat/:id`,
    handle: handle({ hideTabs: true }),
    lazy: screen(async () => (await import('../groups/GroupScreen.tsx')).GroupScreen),
  },
];

/** The list of conversations, and beside it the one that is open. */
const chats = (): RouteObject => ({
  // The list stays mounted while conversations beside it come and go.
  lazy: screen(async () => (await import('./ChatsLayout.tsx')).ChatsLayout),
  children: [
    {
      index: true,
      path: '/',
      handle: handle({ title: 'chats.title' }),
      lazy: screen(async () => (await import('../chat/list/NoConversation.tsx')).NoConversation),
    },
    ...conversations(),
  ],
});

/** Lists of messages out of all conversations, which stay where they were scrolled to while conversations beside them come and go. */
const messageLists = (): RouteObject[] => [
  {
    path: '/search',
    lazy: screen(async () => (await import('./SearchLayout.tsx')).SearchLayout),
    children: conversations('/search'),
  },
  {
    path: '/starred',
    lazy: screen(async () => (await import('./StarredLayout.tsx')).StarredLayout),
    children: conversations('/starred'),
  },
];

/** Oneself, and the list of settings with their pages beside it. */
const settings = (): RouteObject => ({
  // The list of settings stays mounted while their pages beside it change.
  lazy: screen(async () => (await import('./ProfilePage.tsx')).ProfilePage),
  handle: handle({ title: 'nav.profile' }),
  children: [
    { path: '/profile' },
    { path: '/settings/:page' },
    // These say their own titles.
    {
      path: '/settings/brand',
      handle: handle({}),
      lazy: screen(async () => (await import('../meetings/brand/BrandScreen.tsx')).BrandScreen),
    },
    {
      path: '/settings/developer',
      handle: handle({}),
      lazy: screen(async () => (await import('../developer/room.ts')).DeveloperScreen),
    },
  ],
});

const billing = screen(async () => (await import('../billing/room.ts')).BillingScreens);

/** The notices, which the signed in read inside the app. */
const legalPages = (): RouteObject[] =>
  (['privacy', 'terms'] as const).map((name) => ({
    path: `/${name}`,
    lazy: screen(async () => {
      const { LegalPage } = await import('../landing/legal/LegalPage.tsx');
      return () => (
        <div className="min-h-0 flex-1 overflow-y-auto">
          <LegalPage key={name} name={name} />
        </div>
      );
    }),
  }));

/** The signed-in routes. Each screen comes over the line when it is first asked for. */
export function createRouter(): ReturnType<typeof createBrowserRouter> {
  const screens: RouteObject[] = [
    {
      // Over the whole window, without tabs and rail.
      path: '/meeting/:id',
      ErrorBoundary: CrashScreen,
      HydrateFallback: () => null,
      lazy: screen(async () => (await import('./MeetingScreen.tsx')).MeetingScreen),
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
              lazy: screen(async () => (await import('../people/ContactsScreen.tsx')).ContactsScreen),
            },
            {
              lazy: screen(async () => (await import('../calls/CallsLayout.tsx')).CallsLayout),
              children: [
                {
                  path: '/calls',
                  lazy: screen(async () => (await import('../calls/NoCall.tsx')).NoCall),
                },
                {
                  path: '/calls/:id',
                  lazy: screen(async () => (await import('../calls/CallDetails.tsx')).CallDetails),
                },
              ],
            },
            ...messageLists(),
            {
              path: '/meetings/:id?',
              handle: handle({ title: 'nav.meetings' }),
              lazy: screen(async () => (await import('../meetings/MeetingsScreen.tsx')).MeetingsScreen),
            },
            {
              path: '/status',
              handle: handle({ title: 'nav.status' }),
              lazy: screen(async () => (await import('../status/StatusScreen.tsx')).StatusScreen),
            },
            {
              path: '/schedule',
              handle: handle({ title: 'nav.schedule' }),
              lazy: screen(async () => (await import('../social/room.ts')).ScheduleScreen),
            },
            settings(),
            ...['/payment/:outcome', '/team'].map((path) => ({ path, lazy: billing })),
            {
              // Its list stays while the pages beside it change.
              path: '/admin',
              lazy: screen(async () => (await import('../admin/room.ts')).AdminScreen),
              children: [{ path: 'billing', lazy: billing }, { path: ':page?' }],
            },
            ...legalPages(),
            {
              path: secondPersonPath,
              lazy: screen(async () => (await import('../account/secondPerson/SecondPersonHere.tsx')).SecondPersonHere),
            },
            {
              path: receivedPath,
              lazy: screen(async () => (await import('../share/ReceivedScreen.tsx')).ReceivedScreen),
            },
            {
              path: '/open',
              lazy: screen(async () => (await import('./OpenedLink.tsx')).OpenedLink),
            },
            {
              path: '*',
              handle: handle({ title: 'notFound.title' }),
              lazy: screen(async () => (await import('../shell/NotFoundScreen.tsx')).NotFoundScreen),
            },
          ],
        },
      ],
    },
  ];
  // A call goes on whatever screen is open.
  const router = createBrowserRouter([{ Component: CallHost, HydrateFallback: () => null, children: screens }]);
  overlays.follow({
    key: () => router.state.location.key,
    busy: () => router.state.navigation.state !== 'idle',
  });
  return router;
}
