import { Suspense, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Outlet, useLocation } from 'react-router-dom';
import { ConnectionBanner } from './ConnectionBanner.tsx';
import './earlyKeyPresses.ts';
import { NavRail } from './NavRail.tsx';
import { useDocumentTitle, useRouteHandle } from '../shell/routeHandle.ts';
import { AnnouncementBanners } from '../shell/AnnouncementBanners.tsx';
import { ShellBanners } from './ShellBanners.tsx';
import { TabBar } from './TabBar.tsx';
import { lazyOptional } from '../ui/lazyComponents.tsx';

/* Keys pressed before it has loaded are stored for it. */
const ShortcutSheet = lazyOptional(async () => (await import('./ShortcutHandler.tsx')).ShortcutHandler);
const PushHost = lazyOptional(async () => (await import('../notifications/PushHost.tsx')).PushHost);
const SecurityBanner = lazyOptional(
  async () => (await import('../account/security/SecurityBanner.tsx')).SecurityBanner,
);

/**
 * Moves the focus to the new screen, so that keyboard and screen reader start there. A screen that has already focused
 * something inside keeps it, and so does a list whose row was chosen.
 */
function useFocusOnRouteChange(main: React.RefObject<HTMLElement | null>): void {
  const { pathname } = useLocation();
  const previous = useRef(pathname);
  useEffect(() => {
    if (previous.current === pathname) return;
    previous.current = pathname;
    const frame = requestAnimationFrame(() => {
      if (!main.current?.contains(document.activeElement)) main.current?.focus({ preventScroll: true });
    });
    return () => cancelAnimationFrame(frame);
  }, [pathname, main]);
}

/**
 * Frame around every signed-in screen. Phones: the screen over a bottom tab bar. From 768 px on: a slim rail at the
 * start edge and the screen next to it, which has its own panes.
 */
export function AppShell() {
  const { t } = useTranslation();
  const { title, hideTabs = false } = useRouteHandle();
  const main = useRef<HTMLElement>(null);
  useDocumentTitle(title === undefined ? undefined : t(title));
  useFocusOnRouteChange(main);

  return (
    <div
      data-shell
      className="relative flex h-dvh flex-col overflow-clip bg-page ps-[env(safe-area-inset-left)] pe-[env(safe-area-inset-right)] has-[~[data-call-pill]]:pt-15 md:flex-row"
    >
      <a
        href="#main"
        className="fixed start-3 top-3 z-60 -translate-y-20 rounded-control bg-ink px-3 py-2 text-14 text-page focus:translate-y-0"
      >
        {t('common.skipToContent')}
      </a>
      <NavRail />
      <div className="flex min-h-0 min-w-0 flex-1 flex-col">
        <ShellBanners />
        <AnnouncementBanners />
        <Suspense>
          <SecurityBanner />
          <PushHost />
        </Suspense>
        <ConnectionBanner />
        <main ref={main} id="main" tabIndex={-1} className="flex min-h-0 flex-1 flex-col">
          <Suspense>
            <Outlet />
          </Suspense>
        </main>
      </div>
      {!hideTabs && <TabBar />}
      <Suspense>
        <ShortcutSheet />
      </Suspense>
    </div>
  );
}
